/** Enqueue, not-before, the order of claimNext, prefixes and pages, on every engine. */
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

describe.each(ENGINES)('items on %s', (engine) => {
  let world: World;
  let a: Handle;
  let w1: ReturnType<typeof worker>;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    w1 = worker(await world.open(), 'w1');
  });
  afterEach(() => world.end());

  const next = async (limit?: number, prefix = '') => {
    const answer = await w1.claimNext(prefix, 1000, limit);
    return answer.accepted ? answer.value.map((lease) => lease.key) : answer.refusal.code;
  };

  describe('enqueue', () => {
    it('keeps the request that wrote the item', async () => {
      ok(await a.work.enqueue([{ key: 'k', payload: 1 }], { request: 'the-enqueue' }));
      expect(await itemOf(a, 'k')).toEqual({
        key: 'k',
        state: 'open',
        generation: 0n,
        attempts: 0,
        enqueuedBy: 'the-enqueue',
      });
    });

    it('refuses a known key as duplicate, and adds none of the others', async () => {
      await enqueue(a, 'k1');
      const items = ['k0', 'k1', 'k2'].map((key) => ({ key, payload: null }));
      expect(codeOf(await a.work.enqueue(items, { request: request() }))).toBe('duplicate');
      expect((await a.work.scan({ limit: 9 })).map((item) => item.key)).toEqual(['k1']);
      expect(world.events()).toHaveLength(1);
    });

    it('refuses a key twice in one call', async () => {
      const items = ['k1', 'k2', 'k1'].map((key) => ({ key, payload: null }));
      expect(codeOf(await a.work.enqueue(items, { request: request() }))).toBe('duplicate');
      expect(await a.work.scan({ limit: 9 })).toEqual([]);
    });

    it('refuses the key of a finished and of a dead item', async () => {
      await enqueue(a, 'k1', { key: 'k2', maxAttempts: 1 });
      ok(await w1.complete(ok(await w1.claim('k1', 10)), 'x'));
      ok(await w1.nack(ok(await w1.claim('k2', 10))));
      for (const key of ['k1', 'k2']) {
        expect(codeOf(await a.work.enqueue([{ key, payload: null }], { request: request() }))).toBe(
          'duplicate',
        );
      }
    });

    it('accepts no items', async () => {
      expect(codeOf(await a.work.enqueue([], { request: request() }))).toBe('accepted');
      expect(world.events()).toEqual([]);
    });
  });

  describe('not before', () => {
    it('is not yet to claim and invisible to claimNext until its instant', async () => {
      await enqueue(a, { key: 'k', notBeforeMs: 100 });
      world.clock.advance(99);
      expect(codeOf(await w1.claim('k', 10))).toBe('not-yet');
      expect(await next()).toBe('empty');
      world.clock.advance(1);
      expect(await next()).toEqual(['k']);
    });

    it('orders by the instant of eligibility, and one in the past counts from the enqueue', async () => {
      world.clock.advance(50);
      await enqueue(a, { key: 'late', notBeforeMs: 60 }, { key: 'past', notBeforeMs: 1 }, 'now');
      world.clock.advance(20);
      await enqueue(a, 'newest');
      expect(await next(9)).toEqual(['past', 'now', 'late', 'newest']);
    });
  });

  describe('claimNext', () => {
    it('takes one by default, the earliest first', async () => {
      await enqueue(a, 'b', 'a');
      await enqueue(a, 'c');
      expect(await next()).toEqual(['b']);
      expect(await next()).toEqual(['a']);
      expect(await next()).toEqual(['c']);
      expect(await next()).toBe('empty');
    });

    it('mixes open items and lapsed leases by their instants', async () => {
      for (const key of ['k1', 'k2', 'k3', 'k4']) {
        await enqueue(a, key);
        world.clock.advance(1);
      }
      ok(await w1.claim('k3', 5));
      ok(await w1.claim('k1', 7));
      world.clock.advance(6);
      expect(await next(2)).toEqual(['k2', 'k3']);
      world.clock.advance(1);
      expect(await next(9)).toEqual(['k1', 'k4']);
    });

    it('takes lapsed leases in the order of their items, whatever the order in which they ran out', async () => {
      await enqueue(a, 'k1', 'k2', 'k3');
      ok(await w1.claim('k1', 3));
      ok(await w1.claim('k2', 1));
      ok(await w1.claim('k3', 2));
      world.clock.advance(3);
      expect(await next()).toEqual(['k1']);
      expect(await next()).toEqual(['k2']);
      expect(await next()).toEqual(['k3']);
    });

    it('gives the claimer its own lapsed items, and passes over its own live ones', async () => {
      await enqueue(a, 'k');
      ok(await w1.claim('k', 10));
      expect(await next()).toBe('empty');
      world.clock.advance(10);
      expect(await next()).toEqual(['k']);
    });

    it('does not reacquire', async () => {
      await enqueue(a, 'k');
      ok(await w1.claim('k', 10));
      const call = { owner: 'w1', leaseMs: 10, request: request(), reacquire: true };
      expect(codeOf(await a.work.claimNext('', call))).toBe('empty');
    });

    it('takes at most the limit and at most what is there', async () => {
      await enqueue(a, ...Array.from({ length: 25 }, (_, i) => `k${String(i).padStart(2, '0')}`));
      expect(await next(10)).toHaveLength(10);
      expect(await next(1000)).toHaveLength(15);
    });

    it('looks only under the prefix, which is a text and not a pattern', async () => {
      await enqueue(a, 'a/1', 'a%2', 'a*3', 'ab/4', 'A/5', 'a/\u{10ffff}6', 'b/7');
      expect(await next(9, 'a/')).toEqual(['a/1', 'a/\u{10ffff}6']);
      expect(await next(9, 'a%')).toEqual(['a%2']);
      expect(await next(9, 'a*')).toEqual(['a*3']);
      expect(await next(9, 'a')).toEqual(['ab/4']);
      expect(await next(9, 'x')).toBe('empty');
      expect(await next(9, '')).toEqual(['A/5', 'b/7']);
    });

    it('finds lapsed leases under the prefix only', async () => {
      await enqueue(a, 'a/1', 'b/2');
      ok(await w1.claimNext('', 10, 2));
      world.clock.advance(10);
      expect(await next(9, 'b/')).toEqual(['b/2']);
      expect(await next(9, 'a/')).toEqual(['a/1']);
    });
  });

  describe('scan', () => {
    it('comes in pages in the order of code points', async () => {
      const keys = ['a', 'a/', 'a0', 'b', 'ä', '\uffee', '\u{1f600}', 'B'];
      await enqueue(a, ...keys);
      const seen: string[] = [];
      let after: string | undefined;
      for (;;) {
        const page = await a.work.scan(after === undefined ? { limit: 3 } : { after, limit: 3 });
        expect(page.length).toBeLessThanOrEqual(3);
        seen.push(...page.map((item) => item.key));
        after = page.at(-1)?.key;
        if (after === undefined) break;
      }
      expect(seen).toEqual(['B', 'a', 'a/', 'a0', 'b', 'ä', '\uffee', '\u{1f600}']);
    });
  });
});
