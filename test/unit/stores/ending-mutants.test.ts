/** Stores that lose, change or miscount are wrong in the way they say. */
import { afterEach, describe, expect, it } from 'vitest';
import * as m22 from '../../../scenarios/mutants/m22-one-attempt-more.ts';
import * as m23 from '../../../scenarios/mutants/m23-crash-not-counted.ts';
import * as m24 from '../../../scenarios/mutants/m24-answer-before-write.ts';
import * as m25 from '../../../scenarios/mutants/m25-not-synced.ts';
import { stateThenResult } from '../../../scenarios/mutants/m26-two-transactions.ts';
import * as m27 from '../../../scenarios/mutants/m27-last-result-wins.ts';
import * as m32 from '../../../scenarios/mutants/m32-enqueue-twice.ts';
import * as m33 from '../../../scenarios/mutants/m33-committed-called-failed.ts';
import * as m34 from '../../../scenarios/mutants/m34-silent-retry.ts';
import * as m38 from '../../../scenarios/mutants/m38-done-and-failed.ts';
import { buryingSweep } from '../../../scenarios/mutants/m45-sweep-buries-running.ts';
import { brokenStores, gate, KEY } from '../../support/broken-store.ts';
import { codeOf, enqueue, itemOf, ok, worker } from '../../support/world.ts';

const stores = brokenStores();
afterEach(() => stores.end());

describe('attempts', () => {
  it('M22: an item of two attempts is granted three times', async () => {
    const { lease, w1, w2 } = await stores.leased({ rules: m22.rules }, undefined, 2);
    ok(await w1.nack(lease));
    const second = ok(await w2.claim(KEY, 100));
    ok(await w2.nack(second));
    const third = ok(await w1.claim(KEY, 100));
    expect(third.attempt).toBe(3);
    ok(await w1.nack(third));
    expect(codeOf(await w2.claim(KEY, 100))).toBe('dead');
  });

  it('M23: a reclaim counts no attempt, a claim after a nack does', async () => {
    const { clock, lease, w1, w2 } = await stores.leased({ rules: m23.rules }, undefined, 2);
    ok(await w1.heartbeat(lease));
    for (let times = 0; times < 5; times++) {
      clock.advance(100);
      expect(ok(await w2.claim(KEY, 100)).attempt).toBe(1);
    }
    clock.advance(99);
    ok(await w2.nack(ok(await w2.claim(KEY, 100, true))));
    expect(codeOf(await w1.claim(KEY, 100))).toBe('dead');
  });
});

describe('answers that come too early', () => {
  it('M24: an accepted complete is not there yet; a stale one is refused', async () => {
    const buffered = gate();
    const wrap = (own: Parameters<typeof m24.decorate>[0]) => m24.decorate(own, buffered.wait);
    const { clock, open } = stores.file();
    const [sound, buffering] = [await open(), await open({}, wrap)];
    await enqueue(sound, KEY);
    const lease = ok(await worker(sound, 'w1').claim(KEY, 100));
    expect(codeOf(await worker(buffering, 'w1').complete(lease, 'x'))).toBe('accepted');
    await enqueue(buffering, 'claims/item-2');
    expect(await itemOf(sound, KEY)).toMatchObject({ state: 'leased' });
    expect(await itemOf(sound, 'claims/item-2')).toBeUndefined();
    buffered.open();
    await buffering.close();
    expect(await itemOf(sound, KEY)).toMatchObject({ state: 'done', result: 'x' });
    expect(await itemOf(sound, 'claims/item-2')).toMatchObject({ state: 'open' });
    clock.advance(100);
    const third = await open({}, wrap);
    expect(codeOf(await worker(third, 'w1').complete(lease, 'late'))).toBe('completed');
  });

  it('M25: is the sound store, and declares more than it does', () => {
    expect(m25.declares.durability).toBe('power-loss');
  });

  it('M26: between the two transactions the item is done without its result', async () => {
    const between = gate();
    const { store, lease, w1, open } = await stores.leased({ engine: stateThenResult(between.wait) });
    const completed = w1.complete(lease, 'x');
    await between.arrived;
    const other = await open();
    expect(await itemOf(other, KEY)).toMatchObject({ state: 'done', result: null });
    between.open();
    expect(codeOf(await completed)).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'x' });
  });
});

describe('second thoughts about what is finished', () => {
  it('M27: a finished item takes any complete, and shows the last result', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({ rules: m27.rules });
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('stale');
    ok(await w2.complete(successor, 'new'));
    expect(codeOf(await w1.complete(lease, 'old'))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'old' });
  });

  it('M38: a finished item takes a nack, and is dead with a result', async () => {
    const { clock, store, lease, w1, w2 } = await stores.leased({ rules: m38.rules });
    clock.advance(100);
    const successor = ok(await w2.claim(KEY, 100));
    expect(codeOf(await w1.nack(lease))).toBe('stale');
    ok(await w2.complete(successor, 'new'));
    expect(codeOf(await w1.nack(lease))).toBe('accepted');
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'dead', result: 'new' });
  });

  it('M45: the sweep buries a living lease that is old enough, and no younger one', async () => {
    const { clock, store, lease, w1 } = await stores.leased({ engine: buryingSweep(1, 150) });
    clock.advance(90);
    const renewed = ok(await w1.heartbeat(lease));
    await enqueue(store, 'claims/item-2');
    clock.advance(60);
    ok(await w1.claim('claims/item-2', 100));
    await expect.poll(async () => (await itemOf(store, KEY))?.state).toBe('dead');
    expect(codeOf(await w1.complete(renewed, 'x'))).toBe('dead');
    expect(await itemOf(store, 'claims/item-2')).toMatchObject({ state: 'leased' });
  });
});

describe('answers that get lost', () => {
  it('M32: of two enqueues the second makes two rows', async () => {
    const { open } = stores.file();
    const store = await open({}, (own) => m32.decorate(own, 2));
    await enqueue(store, 'a');
    await enqueue(store, 'b');
    const keys = (await store.work.scan({ limit: 10 })).map(({ key }) => key);
    expect(keys).toEqual(['a', 'b', 'b~2']);
  });

  it('M33: the second accepted call is done, and called certainly undone', async () => {
    const { store, lease, w1 } = await stores.leased({}, (own) => m33.decorate(own, 2));
    await expect(w1.complete(lease, 'x')).rejects.toMatchObject({ definite: true });
    expect(await itemOf(store, KEY)).toMatchObject({ state: 'done', result: 'x' });
    expect(codeOf(await w1.complete(lease, 'x'))).toBe('completed');
  });

  it('M34: the second call is sent twice, and refused though it acted', async () => {
    const { open } = stores.file();
    const store = await open({}, (own) => m34.decorate(own, 2));
    await enqueue(store, KEY);
    const again = await store.work.enqueue([{ key: 'b', payload: null }], { request: 'b' });
    expect(codeOf(again)).toBe('duplicate');
    expect(await itemOf(store, 'b')).toMatchObject({ state: 'open', enqueuedBy: 'b' });
  });
});
