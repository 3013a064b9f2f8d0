/** What a holder may do, and when no more, on every engine: spec/board.md B5.2 to B5.5, B6.17 to 22, 24, 25, 29 to 35. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/store.ts';
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
const CALLS = ['heartbeat', 'complete', 'nack', 'release'] as const;

describe.each(ENGINES)('holder calls on %s', (engine) => {
  let world: World;
  let a: Handle;
  let b: Handle;
  let w1: ReturnType<typeof worker>;
  let w2: ReturnType<typeof worker>;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    b = await world.open();
    w1 = worker(a, 'w1');
    w2 = worker(b, 'w2');
    await enqueue(a, KEY);
  });
  afterEach(() => world.end());

  async function call(w: typeof w1, name: (typeof CALLS)[number], lease: Lease): Promise<string> {
    if (name === 'complete') return codeOf(await w.complete(lease, 'late'));
    return codeOf(await w[name](lease));
  }

  /** What no refused call may change. */
  async function evidence() {
    return { item: await itemOf(a, KEY), events: world.events() };
  }

  describe('heartbeat', () => {
    it('extends by the duration of the lease, not by a default of the store', async () => {
      const lease = ok(await w1.claim(KEY, 10_000));
      world.clock.advance(5000);
      const extended = ok(await w1.heartbeat(lease));
      expect(extended).toEqual({ ...lease, expiresAtMs: 15_000 });
      world.clock.advance(9999);
      expect(codeOf(await w2.claim(KEY, 1))).toBe('held');
      world.clock.advance(1);
      expect(codeOf(await w2.claim(KEY, 1))).toBe('accepted');
      expect(codeOf(await w1.heartbeat(extended))).toBe('stale');
    });

    it('extends by what it is told', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      expect(ok(await w1.heartbeat(lease, 500))).toMatchObject({ expiresAtMs: 500, leaseMs: 10 });
      world.clock.advance(499);
      expect(codeOf(await w1.heartbeat(lease, 1))).toBe('accepted');
      world.clock.advance(1);
      expect(codeOf(await w1.heartbeat(lease, 1))).toBe('expired');
    });

    it('never brings the end of the lease nearer', async () => {
      const lease = ok(await w1.claim(KEY, 100));
      expect(ok(await w1.heartbeat(lease, 1)).expiresAtMs).toBe(100);
      world.clock.advance(99);
      expect(codeOf(await w2.claim(KEY, 1))).toBe('held');
    });

    it('writes no event', async () => {
      const lease = ok(await w1.claim(KEY, 100));
      const before = world.events();
      ok(await w1.heartbeat(lease));
      expect(world.events()).toEqual(before);
    });

    it('works any number of times', async () => {
      let lease = ok(await w1.claim(KEY, 10));
      for (let i = 0; i < 20; i += 1) {
        world.clock.advance(9);
        lease = ok(await w1.heartbeat(lease));
      }
      expect(lease).toMatchObject({ expiresAtMs: 190, generation: 1n, attempt: 1 });
    });
  });

  describe('the instant of lease end', () => {
    it.each(['heartbeat', 'complete', 'nack'] as const)(
      '%s passes one ms before and is expired at it',
      async (name) => {
        const first = ok(await w1.claim(KEY, 10));
        world.clock.advance(10);
        const before = await evidence();
        expect(await call(w1, name, first)).toBe('expired');
        expect(await evidence()).toEqual(before);
        const second = ok(await w1.claim(KEY, 10));
        world.clock.advance(9);
        expect(await call(w1, name, second)).toBe('accepted');
      },
    );

    it('release passes after it as long as nobody has the item', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      world.clock.advance(1000);
      expect(codeOf(await w1.release(lease))).toBe('accepted');
      expect(await itemOf(a, KEY)).toMatchObject({ state: 'open', generation: 1n });
      expect(ok(await w2.claim(KEY, 10))).toMatchObject({ generation: 2n, kind: 'fresh' });
    });
  });

  describe.each(CALLS)('%s', (name) => {
    async function refusedAs(code: string, lease: Lease, w = w1): Promise<void> {
      const before = await evidence();
      expect(await call(w, name, lease)).toBe(code);
      expect(await evidence()).toEqual(before);
    }

    it('is stale after the item was granted again, and leaves the successor alone', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      world.clock.advance(10);
      const successor = ok(await w2.claim(KEY, 10));
      await refusedAs('stale', lease);
      expect(codeOf(await w2.complete(successor, 'new'))).toBe('accepted');
      await refusedAs('stale', lease);
    });

    it('is stale to the same owner name under an older generation', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      world.clock.advance(10);
      ok(await worker(b, 'w1').claim(KEY, 10));
      await refusedAs('stale', lease);
    });

    it('is not held after a release, a nack or a force release', async () => {
      const released = ok(await w1.claim(KEY, 10));
      ok(await w1.release(released));
      await refusedAs('not-held', released);
      const nacked = ok(await w1.claim(KEY, 10));
      await refusedAs('stale', released);
      ok(await w1.nack(nacked));
      await refusedAs('not-held', nacked);
      const forced = ok(await w1.claim(KEY, 10));
      ok(await b.work.forceRelease(KEY, { request: request(), by: 'operator' }));
      await refusedAs('not-held', forced);
    });

    it('is refused as completed to the one who completed', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      ok(await w1.complete(lease, 'first'));
      await refusedAs('completed', lease);
      expect(await itemOf(b, KEY)).toMatchObject({ result: 'first' });
    });

    it('is refused as dead to the one whose attempt was the last', async () => {
      const key = 'claims/once';
      await enqueue(a, { key, maxAttempts: 1 });
      const lease = ok(await w1.claim(key, 10));
      ok(await w1.nack(lease));
      await refusedAs('dead', lease);
    });

    it('refuses an item that is not there', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      await refusedAs('unknown-item', { ...lease, key: 'claims/other' });
    });

    it.each(['2', '0', '999', '', '01', '1.0', ' 1'])(
      'refuses the token %j, and the holder goes on',
      async (token) => {
        const lease = ok(await w1.claim(KEY, 10));
        await refusedAs('stale', { ...lease, token });
        expect(await call(w1, name, lease)).toBe('accepted');
      },
    );

    it('refuses another owner with the right token', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      await refusedAs('stale', { ...lease, owner: 'w2' }, w2);
    });

    it('refuses an item that was never claimed', async () => {
      const lease = ok(await w1.claim(KEY, 10));
      const key = 'claims/untouched';
      await enqueue(a, key);
      await refusedAs('stale', { ...lease, key });
      await refusedAs('not-held', { ...lease, key, token: '0' });
    });
  });

  it('a result comes back as it went in, with the request that wrote it', async () => {
    const lease = ok(await w1.claim(KEY, 10));
    const result = { value: ['ä', 1.5, null], nested: { deep: [[]] } };
    ok(await a.work.complete(lease, { request: 'the-completion', result }));
    expect(await itemOf(b, KEY)).toMatchObject({ state: 'done', result, completedBy: 'the-completion' });
  });

  it('a nack takes any text as its error', async () => {
    for (const error of ['', 'two\nlines', 'nul \0', 'half a pair \ud83d', 'x'.repeat(100_000)]) {
      expect(codeOf(await w1.nack(ok(await w1.claim(KEY, 10)), error))).toBe('accepted');
    }
  });

  it('nack puts the item at the end of the line, release and expiry keep its place', async () => {
    for (const key of ['claims/item-2', 'claims/item-3']) {
      world.clock.advance(1);
      await enqueue(a, key);
    }
    const order = async () => {
      const leases = ok(await w2.claimNext('', 5, 3));
      const keys = leases.map((lease) => lease.key.slice(-1)).join('');
      for (const lease of leases) ok(await w2.release(lease));
      return keys;
    };
    expect(await order()).toBe('123');
    world.clock.advance(1);
    ok(await w1.release(ok(await w1.claim(KEY, 10))));
    expect(await order()).toBe('123');
    ok(await w1.claim(KEY, 10));
    world.clock.advance(10);
    expect(await order()).toBe('123');
    ok(await w1.nack(ok(await w1.claim(KEY, 10))));
    expect(await order()).toBe('231');
  });

  describe('force release', () => {
    const force = () => b.work.forceRelease(KEY, { request: request(), by: 'operator' });

    it('ends a live lease, is audited under its own author, and fences the holder', async () => {
      const lease = ok(await w1.claim(KEY, 10_000));
      expect(codeOf(await force())).toBe('accepted');
      expect(world.events().at(-1)).toMatchObject({
        kind: 'force-released',
        author: 'operator',
        generation: 1,
      });
      expect(codeOf(await w1.complete(lease, 'x'))).toBe('not-held');
      expect(ok(await w2.claim(KEY, 10)).generation).toBe(2n);
      expect(codeOf(await w1.complete(lease, 'x'))).toBe('stale');
    });

    it('ends a lease that ran out', async () => {
      ok(await w1.claim(KEY, 10));
      world.clock.advance(10);
      expect(codeOf(await force())).toBe('accepted');
    });

    it('refuses an item that is open, done, dead or unknown', async () => {
      expect(codeOf(await force())).toBe('not-held');
      ok(await w1.complete(ok(await w1.claim(KEY, 10)), 'x'));
      expect(codeOf(await force())).toBe('completed');
      await enqueue(a, { key: 'claims/once', maxAttempts: 1 });
      ok(await w1.nack(ok(await w1.claim('claims/once', 10))));
      const by = 'operator';
      expect(codeOf(await b.work.forceRelease('claims/once', { request: request(), by }))).toBe('dead');
      expect(codeOf(await b.work.forceRelease('claims/none', { request: request(), by }))).toBe(
        'unknown-item',
      );
    });
  });
});
