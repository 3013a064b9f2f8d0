/** Attempts are bounded by every road, with one event (property AT of cases.md; DESIGN.md, rules of every store of ours). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  codeOf,
  createWorld,
  ENGINES,
  enqueue,
  type Handle,
  itemOf,
  ok,
  request,
  type World,
  worker,
} from '../../support/world.ts';

const KEY = 'claims/item-1';

describe.each(ENGINES)('attempts on %s', (engine) => {
  let world: World;
  let a: Handle;
  let w1: ReturnType<typeof worker>;
  let w2: ReturnType<typeof worker>;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    w1 = worker(a, 'w1');
    w2 = worker(await world.open(), 'w2');
  });
  afterEach(() => world.end());

  const deaths = () => world.events().filter((event) => event.kind === 'dead');
  const death = (generation: number, author = 'w1') => [
    expect.objectContaining({ kind: 'dead', key: KEY, author, generation }),
  ];

  it('a nack at the limit: dead at once', async () => {
    await enqueue(a, { key: KEY, maxAttempts: 2 });
    ok(await w1.nack(ok(await w1.claim(KEY, 10))));
    expect(await itemOf(a, KEY)).toMatchObject({ state: 'open', attempts: 1 });
    ok(await w1.nack(ok(await w1.claim(KEY, 10))));
    expect(await itemOf(a, KEY)).toMatchObject({ state: 'dead', attempts: 2, generation: 2n });
    expect(deaths()).toEqual(death(2));
    expect(world.events().map((event) => event.kind)).toEqual([
      'enqueued',
      'claimed',
      'nacked',
      'claimed',
      'nacked',
      'dead',
    ]);
  });

  it.each(['claim', 'claimNext'] as const)(
    'a lease that runs out at the limit: dead at the next %s',
    async (name) => {
      await enqueue(a, { key: KEY, maxAttempts: 1 });
      ok(await w1.claim(KEY, 10));
      world.clock.advance(10);
      expect(await itemOf(a, KEY)).toMatchObject({ state: 'leased' });
      expect(codeOf(await w2[name](name === 'claim' ? KEY : '', 10))).toBe(
        name === 'claim' ? 'dead' : 'empty',
      );
      expect(await itemOf(a, KEY)).toMatchObject({ state: 'dead', attempts: 1, generation: 1n });
      expect(deaths()).toEqual(death(1));
      expect(codeOf(await w2.claim(KEY, 10))).toBe('dead');
      expect(codeOf(await w2.claimNext('', 10))).toBe('empty');
      expect(deaths()).toHaveLength(1);
    },
  );

  it('a holder whose last attempt ran out may still release, and the next claim buries the item', async () => {
    await enqueue(a, { key: KEY, maxAttempts: 1 });
    const lease = ok(await w1.claim(KEY, 10));
    world.clock.advance(10);
    ok(await w1.release(lease));
    expect(await itemOf(a, KEY)).toMatchObject({ state: 'open', attempts: 1 });
    expect(codeOf(await w2.claim(KEY, 10))).toBe('dead');
    expect(deaths()).toEqual(death(1, ''));
  });

  it('a force release at the limit: dead at the next claim', async () => {
    await enqueue(a, { key: KEY, maxAttempts: 1 });
    ok(await w1.claim(KEY, 10));
    ok(await a.work.forceRelease(KEY, { request: request(), by: 'operator' }));
    expect(codeOf(await w2.claimNext('', 10))).toBe('empty');
    expect(await itemOf(a, KEY)).toMatchObject({ state: 'dead' });
  });

  it('reacquiring counts as an attempt, and is refused as held at the limit', async () => {
    await enqueue(a, { key: KEY, maxAttempts: 2 });
    ok(await w1.claim(KEY, 10));
    const lease = ok(await w1.claim(KEY, 10, true));
    expect(lease.attempt).toBe(2);
    expect(codeOf(await w1.claim(KEY, 10, true))).toBe('held');
    expect(codeOf(await w1.complete(lease, 'x'))).toBe('accepted');
  });

  it('the last attempt may complete', async () => {
    await enqueue(a, { key: KEY, maxAttempts: 1 });
    ok(await w1.complete(ok(await w1.claim(KEY, 10)), 'x'));
    expect(await itemOf(a, KEY)).toMatchObject({ state: 'done', attempts: 1 });
  });

  it('without a limit there is none', async () => {
    await enqueue(a, KEY);
    for (let i = 1; i <= 50; i += 1) {
      const lease = ok(await w1.claim(KEY, 10));
      expect(lease.attempt).toBe(i);
      ok(await w1.nack(lease));
    }
  });

  it('claimNext passes over the used-up and fills its order behind them', async () => {
    for (let i = 0; i < 5; i += 1) await enqueue(a, { key: `claims/old-${i}`, maxAttempts: 1 });
    ok(await w1.claimNext('', 10, 5));
    world.clock.advance(10);
    await enqueue(a, 'claims/new-1', 'claims/new-2', 'claims/new-3');
    const leases = ok(await w2.claimNext('', 10, 2));
    expect(leases.map((lease) => lease.key)).toEqual(['claims/new-1', 'claims/new-2']);
    expect(deaths()).toHaveLength(5);
  });
});
