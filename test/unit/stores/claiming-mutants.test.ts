/** Stores that grant too early, twice, too much or never again are wrong in the way they say. */
import { afterEach, describe, expect, it } from 'vitest';
import { selectThenUpdate } from '../../../scenarios/mutants/m09-select-then-update.ts';
import { retryingOldReads } from '../../../scenarios/mutants/m10-old-read-retried.ts';
import * as m12 from '../../../scenarios/mutants/m12-half-lease.ts';
import { claimsBy } from '../../../scenarios/mutants/m13-claimers-clock.ts';
import * as m14 from '../../../scenarios/mutants/m14-renew-stores-nothing.ts';
import { reapingById } from '../../../scenarios/mutants/m18-reaper-by-id.ts';
import { reapingAtStart } from '../../../scenarios/mutants/m20-reaped-at-start-only.ts';
import { deletingClaims } from '../../../scenarios/mutants/m31-claim-deletes.ts';
import * as m35 from '../../../scenarios/mutants/m35-claims-more.ts';
import * as m37 from '../../../scenarios/mutants/m37-heartbeat-ends-with-drain.ts';
import { steppable } from '../../../scenarios/mutants/m40-wall-clock.ts';
import * as m41 from '../../../scenarios/mutants/m41-whole-seconds.ts';
import { onlyOpenEngine, onlyOpenRules } from '../../../scenarios/mutants/only-open.ts';
import { brokenStores, gate, KEY } from '../../support/broken-store.ts';
import { createFakeClock, skewed } from '../../support/fake-clock.ts';
import { codeOf, enqueue, itemOf, ok, worker } from '../../support/world.ts';

const stores = brokenStores();
afterEach(() => stores.end());

describe('two transactions where one should be', () => {
  it('M09: two that select the same item both have it, under one generation', async () => {
    const { open } = stores.file();
    const between = gate();
    const [slow, quick] = [await open({ engine: selectThenUpdate(between.wait) }), await open()];
    await enqueue(quick, KEY);
    const first = worker(slow, 'w1').claimNext('', 100);
    await between.arrived;
    const [taken] = ok(await worker(quick, 'w2').claimNext('', 100));
    between.open();
    const [also] = ok(await first);
    expect([taken?.generation, also?.generation]).toEqual([1n, 1n]);
    expect(await itemOf(quick, KEY)).toMatchObject({ owner: 'w1' });
  });

  it('M10: a complete that read before a reclaim still writes', async () => {
    const { clock, open } = stores.file();
    const between = gate();
    const [slow, quick] = [await open({ engine: retryingOldReads(between.wait) }), await open()];
    await enqueue(quick, KEY);
    const lease = ok(await worker(quick, 'w1').claim(KEY, 100));
    const late = worker(slow, 'w1').complete(lease, 'old');
    await between.arrived;
    clock.advance(100);
    const successor = ok(await worker(quick, 'w2').claim(KEY, 100));
    between.open();
    expect(codeOf(await late)).toBe('accepted');
    expect(await itemOf(quick, KEY)).toMatchObject({ state: 'done', result: 'old' });
    expect(codeOf(await worker(quick, 'w2').complete(successor, 'new'))).toBe('completed');
  });

  it('M18: the reaper opens what was lapsed when it looked, and is held again by now', async () => {
    const { clock, open } = stores.file();
    const between = gate();
    const [reaping, quick] = [await open({ engine: reapingById(1, between.wait) }), await open()];
    await enqueue(quick, KEY);
    ok(await worker(quick, 'w1').claim(KEY, 100));
    clock.advance(100);
    await between.arrived;
    const successor = ok(await worker(quick, 'w2').claim(KEY, 100));
    ok(await worker(quick, 'w2').complete(successor, 'new'));
    between.open();
    await expect.poll(async () => (await itemOf(reaping, KEY))?.state).toBe('open');
    expect(ok(await worker(quick, 'w3').claim(KEY, 100)).generation).toBe(3n);
  });
});

describe('leases that are not as long as they are said to be', () => {
  it('M12: tells the whole lease and ends it at half', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({}, m12.decorate);
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

  it('M14: what a heartbeat is told does not happen', async () => {
    const clock = createFakeClock();
    const { open } = stores.file(clock);
    const store = await open({}, (own) => m14.decorate(own, () => clock.monotonicMs()));
    await enqueue(store, KEY);
    const lease = ok(await worker(store, 'w1').claim(KEY, 100));
    clock.advance(90);
    const renewed = ok(await worker(store, 'w1').heartbeat(lease));
    expect(renewed.expiresAtMs).toBe(190);
    clock.advance(10);
    expect(codeOf(await worker(store, 'w1').heartbeat(renewed))).toBe('expired');
    expect(ok(await worker(store, 'w2').claim(KEY, 100)).generation).toBe(2n);
  });

  it('M37: once told to end, heartbeats are answered and not sent', async () => {
    let draining = false;
    const { clock, lease, w1, w2 } = await stores.leased({}, (own) => m37.decorate(own, () => draining));
    clock.advance(50);
    const renewed = ok(await w1.heartbeat(lease));
    draining = true;
    clock.advance(90);
    expect(ok(await w1.heartbeat(renewed)).expiresAtMs).toBe(240);
    clock.advance(10);
    expect(ok(await w2.claim(KEY, 100)).generation).toBe(2n);
  });

  it('M41: 1900 ms become 1000, and 1900 are told', async () => {
    const { clock, open } = stores.file();
    const store = await open({}, m41.decorate);
    await enqueue(store, KEY);
    const lease = ok(await worker(store, 'w1').claim(KEY, 1900));
    expect(lease).toMatchObject({ leaseMs: 1900, expiresAtMs: 1900 });
    clock.advance(500);
    expect(ok(await worker(store, 'w1').heartbeat(lease))).toMatchObject({ expiresAtMs: 2400 });
    clock.advance(999);
    expect(codeOf(await worker(store, 'w2').claim(KEY, 1900))).toBe('held');
    clock.advance(1);
    expect(codeOf(await worker(store, 'w2').claim(KEY, 1900))).toBe('accepted');
  });
});

describe('clocks', () => {
  it('M13: a claimer whose wall clock is ahead takes a living lease; holders go by the store', async () => {
    const { clock, open } = stores.file();
    const store = await open(claimsBy(() => clock.wallMs() + 100));
    await enqueue(store, KEY);
    const lease = ok(await worker(store, 'w1').claim(KEY, 100));
    expect(lease).toMatchObject({ acquiredAtMs: 0, expiresAtMs: 100 });
    expect(codeOf(await worker(store, 'w1').heartbeat(lease))).toBe('accepted');
    expect(ok(await worker(store, 'w2').claim(KEY, 100))).toMatchObject({ generation: 2n, expiresAtMs: 100 });
  });

  it('M40: a step of the wall clock ends a lease', async () => {
    const { clock, open } = stores.file();
    const [store, stepped] = [
      await open({ clock: steppable(clock) }),
      await open({ clock: steppable(skewed(clock, 100)) }),
    ];
    await enqueue(store, KEY);
    ok(await worker(store, 'w1').claim(KEY, 100));
    expect(codeOf(await worker(store, 'w2').claim(KEY, 100))).toBe('held');
    expect(ok(await worker(stepped, 'w2').claim(KEY, 100)).generation).toBe(2n);
  });
});

describe('items that do not come back', () => {
  it('M19: an item whose holder is gone is never granted again; others are', async () => {
    const { clock, store, w2 } = await stores.leased({ rules: onlyOpenRules, engine: onlyOpenEngine });
    await enqueue(store, 'claims/item-2');
    clock.advance(1_000_000);
    expect(codeOf(await w2.claim(KEY, 100))).toBe('held');
    expect(ok(await w2.claimNext('', 100))).toMatchObject([{ key: 'claims/item-2' }]);
    expect(codeOf(await w2.claimNext('', 100))).toBe('empty');
  });

  it('M20: it comes back when a process opens the store, and only then', async () => {
    const broken = { rules: onlyOpenRules, engine: reapingAtStart };
    const { clock, open, w2 } = await stores.leased(broken);
    clock.advance(1000);
    expect(codeOf(await w2.claimNext('', 100))).toBe('empty');
    const restarted = await open(broken);
    expect(ok(await worker(restarted, 'w3').claimNext('', 100))).toMatchObject([{ generation: 2n }]);
  });

  it('M31: a claimed item is nowhere, until its own process ends the task', async () => {
    const { store, lease, w1, w2, open } = await stores.leased({ engine: deletingClaims });
    expect(await itemOf(store, KEY)).toBeUndefined();
    expect(codeOf(await w2.claimNext('', 100))).toBe('empty');
    const renewed = ok(await w1.heartbeat(lease));
    const restarted = await open({ engine: deletingClaims });
    expect(codeOf(await worker(restarted, 'w1').complete(renewed, 'x'))).toBe('unknown-item');
    expect(codeOf(await w1.nack(renewed))).toBe('accepted');
    const again = ok(await w2.claim(KEY, 100));
    expect(again).toMatchObject({ generation: 2n, attempt: 2 });
    expect(codeOf(await w2.complete(again, 'x'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'x', generation: 2n });
  });

  it('M35: one item more is leased than is handed out', async () => {
    const { open } = stores.file();
    const store = await open({}, m35.decorate);
    await enqueue(store, 'a', 'b', 'c');
    expect(ok(await worker(store, 'w1').claimNext('', 100))).toMatchObject([{ key: 'a' }]);
    expect(await itemOf(store, 'b')).toMatchObject({ state: 'leased', attempts: 1 });
    expect(await itemOf(store, 'c')).toMatchObject({ state: 'open' });
  });
});
