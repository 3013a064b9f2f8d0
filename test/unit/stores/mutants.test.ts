/** Each broken store is broken in the way it says, and the registry tells what lies in the folder. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as m01 from '../../../scenarios/mutants/m01-complete-without-fence.ts';
import * as m03 from '../../../scenarios/mutants/m03-fence-by-owner-name.ts';
import * as m07 from '../../../scenarios/mutants/m07-token-not-bumped.ts';
import * as m12 from '../../../scenarios/mutants/m12-half-lease.ts';
import * as m43 from '../../../scenarios/mutants/m43-complete-swallowed.ts';
import * as m53 from '../../../scenarios/mutants/m53-complete-after-expiry.ts';
import { MUTANTS, mutantUrl } from '../../../scenarios/mutants/registry.ts';
import type { LeaseRules } from '../../../src/lease/rules.ts';
import type { Store, StoreModule } from '../../../src/store.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { codeOf, enqueue, type Handle, itemOf, ok, worker } from '../../support/world.ts';

const KEY = 'claims/item-1';

/** A store of those rules with one item leased to w1 for 100 ms, generation 1. */
async function leased(rules: LeaseRules | undefined, wrap: (store: Store) => Store = (store) => store) {
  const clock = createFakeClock();
  const store = wrap(createMemoryStore({ clock, ...(rules && { rules }) })) as Handle;
  await enqueue(store, KEY);
  const lease = ok(await worker(store, 'w1').claim(KEY, 100));
  return { clock, store, lease, w1: worker(store, 'w1'), w2: worker(store, 'w2') };
}

describe('the registry', () => {
  const folder = fileURLToPath(new URL('../../../scenarios/mutants/', import.meta.url));

  it('names every module of the folder and no other', () => {
    const modules = readdirSync(folder).filter((name) => /^m\d+.*\.ts$/.test(name));
    expect(MUTANTS.map((mutant) => `${mutant.module}.ts`)).toEqual(modules.sort());
  });

  it('has ids that rise and fit the names', () => {
    for (const mutant of MUTANTS) expect(mutant.module.slice(0, 3).toUpperCase()).toBe(mutant.id);
    expect(new Set(MUTANTS.map((mutant) => mutant.id)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS)('$id is a store module that declares fencing', async (mutant) => {
    const module: StoreModule = await import(mutantUrl(mutant));
    expect(module.default).toBeTypeOf('function');
    expect(module.destroy).toBeTypeOf('function');
    expect(module.declares).toMatchObject({
      fencing: 'lock',
      lateCalls: 'refused',
      clock: 'store-monotonic',
    });
    expect(mutant.breaks.length).toBeGreaterThan(0);
  });
});

describe('what is broken', () => {
  it('M01: a stale complete, a second complete, a complete of nobody are all accepted', async () => {
    const { clock, store, lease, w1, w2 } = await leased(m01.rules);
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(codeOf(await w2.complete(successor, 'new'))).toBe('accepted');
    expect(codeOf(await w1.complete({ ...lease, owner: 'w9', token: '' }, 'x'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done' });
    expect(codeOf(await w1.heartbeat(lease))).toBe('stale');
  });

  it('M03: an older attempt of the same name passes, another name does not', async () => {
    const { clock, lease, w1, w2 } = await leased(m03.rules);
    clock.advance(100);
    ok(await w1.claim(KEY, 100));
    expect(codeOf(await w2.complete({ ...lease, owner: 'w2' }, 'x'))).toBe('stale');
    expect(codeOf(await w1.heartbeat(lease))).toBe('accepted');
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
  });

  it('M03: the end of the lease is still tested', async () => {
    const { clock, lease, w1 } = await leased(m03.rules);
    clock.advance(100);
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('expired');
  });

  it('M07: a reclaim carries the old generation, a fresh claim a new one', async () => {
    const { clock, w1, w2 } = await leased(m07.rules);
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(successor).toMatchObject({ generation: 1n, token: '1', kind: 'reclaimed' });
    ok(await w2.release(successor));
    expect(ok(await w1.claim(KEY, 100)).generation).toBe(2n);
  });

  it('M12: tells the whole lease and ends it at half', async () => {
    const { clock, lease, w1, w2 } = await leased(m12.rules, m12.tellWholeLeases);
    expect(lease).toMatchObject({ leaseMs: 100, expiresAtMs: 100 });
    clock.advance(40);
    expect(ok(await w1.heartbeat(lease))).toMatchObject({ leaseMs: 100, expiresAtMs: 140 });
    expect(ok(await w1.heartbeat(lease, 80))).toMatchObject({ leaseMs: 100, expiresAtMs: 130 });
    clock.advance(49);
    expect(codeOf(await w2.claim(KEY, 100))).toBe('held');
    clock.advance(1);
    expect(codeOf(await w1.heartbeat(lease))).toBe('expired');
    expect(ok(await w2.claimNext('', 100))).toMatchObject([{ generation: 2n, expiresAtMs: 190 }]);
  });

  it('M43: a superseded complete is answered as accepted and does nothing', async () => {
    const { clock, store, lease, w1, w2 } = await leased(undefined, m43.swallowStaleCompletes);
    clock.advance(100);
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('expired');
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'leased', generation: 2n });
    expect(codeOf(await w1.heartbeat(lease))).toBe('stale');
    expect(codeOf(await w2.complete(successor, 'new'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'new' });
  });

  it('M53: a complete after the end of the lease passes while nobody else has the item', async () => {
    const { clock, lease, w1, w2 } = await leased(m53.rules);
    clock.advance(100);
    expect(codeOf(await w1.heartbeat(lease))).toBe('expired');
    expect(codeOf(await w2.complete({ ...lease, owner: 'w2' }, 'x'))).toBe('stale');
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('accepted');
    expect(codeOf(await w1.complete(lease, 'late'))).toBe('completed');
  });
});
