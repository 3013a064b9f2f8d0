/** Each innocent store is odd in the way it says, and keeps its promises. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import * as i01 from '../../../scenarios/innocents/i01-token-gaps.ts';
import * as i04 from '../../../scenarios/innocents/i04-late-calls-allowed.ts';
import { anyOrder } from '../../../scenarios/innocents/i06-any-order.ts';
import * as i09 from '../../../scenarios/innocents/i09-fenced-by-resource.ts';
import * as i10 from '../../../scenarios/innocents/i10-longer-leases.ts';
import * as i11 from '../../../scenarios/innocents/i11-busy-storms.ts';
import * as i14 from '../../../scenarios/innocents/i14-answers-lost.ts';
import * as i15 from '../../../scenarios/innocents/i15-clock-steps.ts';
import { stalling } from '../../../scenarios/innocents/i16-global-stall.ts';
import { halfBatches } from '../../../scenarios/innocents/i18-partial-batches.ts';
import { INNOCENTS } from '../../../scenarios/innocents/registry.ts';
import type { Lease } from '../../../src/store.ts';
import { brokenStores, KEY } from '../../support/broken-store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { codeOf, enqueue, itemOf, ok, worker } from '../../support/world.ts';

const stores = brokenStores();
afterEach(() => stores.end());

it('the registry names every module of the folder', () => {
  const folder = fileURLToPath(new URL('../../../scenarios/innocents/', import.meta.url));
  const modules = readdirSync(folder).filter((name) => /^i\d+.*\.ts$/.test(name));
  expect(INNOCENTS.map(({ module }) => `${module}.ts`)).toEqual(modules.sort());
  for (const { id, module } of INNOCENTS) expect(module.slice(0, 3).toUpperCase()).toBe(id);
});

describe('odd, and correct', () => {
  it('I01: generations rise with gaps, and fence', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({ rules: i01.rules });
    clock.advance(100);
    const second = ok(await w2.claim(KEY, 100));
    expect(second.generation).toBeGreaterThan((lease.generation ?? 0n) + 1n);
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
  });

  it('I04: a late call passes until the item is granted again', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({ rules: i04.rules });
    expect(i04.declares.lateCalls).toBe('allowed-if-not-superseded');
    clock.advance(150);
    expect(ok(await w1.heartbeat(lease)).expiresAtMs).toBe(250);
    clock.advance(100);
    ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
  });

  it('I06: the first to come is not the first to go; each goes once', async () => {
    const store = await stores.file().open({ engine: anyOrder });
    const keys = Array.from({ length: 12 }, (_, i) => `k${String(i).padStart(2, '0')}`);
    await enqueue(store, ...keys);
    const granted: string[] = [];
    for (let i = 0; i < 12; i++)
      granted.push(...ok(await worker(store, 'w1').claimNext('', 100)).map(({ key }) => key));
    expect(granted).not.toEqual(keys);
    expect([...granted].sort()).toEqual(keys);
  });

  it('I09: a stale holder may write until its successor has written', async () => {
    const { clock, lease, w2, store } = await stores.leased({}, i09.decorate);
    const under = async (fence: Lease) =>
      codeOf(
        await store.entries!.commit([
          { key: 'e', op: 'set', value: 1, author: fence.owner, request: 'r', fence },
        ]),
      );
    expect(await under(lease)).toBe('accepted');
    clock.advance(100);
    const second = ok(await w2.claim(KEY, 100));
    expect(await under(lease)).toBe('accepted');
    expect(await under(second)).toBe('accepted');
    expect(await under(lease)).toBe('stale');
    expect(i09.declares.fencing).toBe('resource');
  });

  it('I10: 150 ms become 200, and 200 are told', async () => {
    const { clock, open } = stores.file();
    const store = await open({}, i10.decorate);
    await enqueue(store, KEY);
    const lease = ok(await worker(store, 'w1').claim(KEY, 150));
    expect(lease).toMatchObject({ leaseMs: 200, expiresAtMs: 200 });
    clock.advance(199);
    expect(codeOf(await worker(store, 'w2').claim(KEY, 150))).toBe('held');
  });

  it('I11: a busy call certainly did nothing', async () => {
    let busy = false;
    const { store, lease, w1 } = await stores.leased({}, (own) => i11.decorate(own, () => busy));
    busy = true;
    await expect(w1.complete(lease, 'x')).rejects.toMatchObject({ code: 'STORE_BUSY', definite: true });
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'leased' });
  });

  it('I14: a lost answer says nothing, and the call acted', async () => {
    let lost = false;
    const { store, lease, w1 } = await stores.leased({}, (own) => i14.decorate(own, () => lost));
    lost = true;
    const failure = await Promise.resolve(w1.complete(lease, 'x')).catch((error: unknown) => error);
    expect(Object(failure).definite).toBeUndefined();
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'x' });
  });

  it('I15: the clock is off by half a step at most, to either side', () => {
    const clock = createFakeClock();
    const stepping = i15.stepping(clock, 20);
    const off: number[] = [];
    for (let i = 0; i < 500; i++) {
      clock.advance(35);
      off.push(stepping.monotonicMs() - clock.monotonicMs());
    }
    expect(Math.min(...off)).toBeLessThan(-5);
    expect(Math.max(...off)).toBeGreaterThan(5);
    expect(Math.max(...off.map(Math.abs))).toBeLessThanOrEqual(10);
  });

  it('I16: the writer stands still between its decision and its commit', async () => {
    const { open } = stores.file();
    const other = await open();
    const seen: (string | undefined)[] = [];
    const store = await open({
      engine: stalling(3, () => {
        // The memory of the file as another connection sees it while this one is in the middle.
        void Promise.resolve(other.work.scan({ limit: 1 })).then(([item]) => seen.push(item?.state));
      }),
    });
    await enqueue(store, KEY);
    const lease = ok(await worker(store, 'w1').claim(KEY, 100));
    expect(codeOf(await worker(store, 'w1').complete(lease, 'x'))).toBe('accepted');
    await expect.poll(() => seen).toEqual(['leased']);
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done' });
  });

  it('I18: of four that are there two are handed out', async () => {
    const store = await stores.file().open({ engine: halfBatches });
    await enqueue(store, 'a', 'b', 'c', 'd');
    expect(ok(await worker(store, 'w1').claimNext('', 100, 4))).toHaveLength(2);
    expect(ok(await worker(store, 'w1').claimNext('', 100))).toHaveLength(1);
  });
});
