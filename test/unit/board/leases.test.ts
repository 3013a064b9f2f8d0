/** Leases and fences as a worker meets them: spec/board.md checks 13-26, 28-36, 38, 40, 54. */
import { beforeEach, describe, expect, it } from 'vitest';
import { leaseRules } from '../../../src/lease/rules.ts';
import type { Lease } from '../../../src/store.ts';
import { codeOf, ENGINES, LEASE_MS, ok, refusal, thrown, useBoards } from './boards.ts';

const KEY = 'claims/item-1';
/** What a client could make up: the lease with another number. */
const forged = (lease: Lease, generation: number): Lease => ({
  ...lease,
  token: String(generation),
  generation: BigInt(generation),
});

describe.each(ENGINES)('leases on %s', (engine) => {
  const boards = useBoards(engine);
  let w1: Awaited<ReturnType<typeof boards.open>>;
  let w2: Awaited<ReturnType<typeof boards.open>>;
  beforeEach(async () => {
    w1 = await boards.open('w1');
    w2 = await boards.open('w2');
  });
  const pass = (ms: number) => boards.world.clock.advance(ms);
  /** Check 16: w1's lease ran out, w2 took the item. */
  async function reclaimed(): Promise<readonly [Lease, Lease]> {
    const old = ok(await w1.claim(KEY, { leaseMs: 10_000 }));
    pass(11_000);
    return [old, ok(await w2.claim(KEY))];
  }

  it('board 13: the first claim has generation 1 and ends a duration from now', async () => {
    pass(5);
    const lease = ok(await w1.claim(KEY));
    expect(lease).toMatchObject({ owner: 'w1', generation: 1n, kind: 'fresh', expiresAtMs: 5 + LEASE_MS });
  });

  it('board 14: a live lease is refused, naming holder and deadline', async () => {
    ok(await w1.claim(KEY));
    const no = refusal(await w2.claim(KEY));
    expect(no).toMatchObject({ code: 'held', holder: 'w1' });
    expect(no.message).toContain(`w1`);
    expect(no.message).toContain(String(LEASE_MS));
  });

  it('board 15: at its deadline a lease is reclaimable, before it is not', async () => {
    ok(await w1.claim(KEY, { leaseMs: 10_000 }));
    ok(await w1.claim('claims/b', { leaseMs: 10_000 }));
    ok(await w1.release(ok(await w1.claim('claims/c', { leaseMs: 10_000 }))));
    ok(await w1.complete(ok(await w1.claim('claims/d', { leaseMs: 10_000 })), null));
    pass(9_999);
    expect(await w2.reclaimable()).toEqual([]);
    pass(1);
    expect(await w2.reclaimable()).toEqual(['claims/b', KEY]);
  });

  it('board 16: an expired lease is granted to the next, as reclaimed', async () => {
    const [, taken] = await reclaimed();
    expect(taken).toMatchObject({ owner: 'w2', generation: 2n, kind: 'reclaimed' });
  });

  it('board 17: the former holder is fenced out before the new one has written anything', async () => {
    const [old] = await reclaimed();
    const no = refusal(await w1.set(KEY, 'late', { lease: old }));
    expect(no.code).toBe('stale');
    expect(no.message).toMatch(/stale lease generation 1\b/);
    expect(await w1.get(KEY)).toBeUndefined();
  });

  it('board 18: append passes the same fence', async () => {
    const [old, taken] = await reclaimed();
    expect(codeOf(await w1.append(KEY, 'late', { lease: old }))).toBe('stale');
    expect(ok(await w2.append(KEY, 'mine', { lease: taken })).generation).toBe(2n);
  });

  it('board 19: a number that is too high is no better than one that is too low', async () => {
    const lease = ok(await w1.claim(KEY));
    expect(codeOf(await w1.set(KEY, 1, { lease: forged(lease, 2) }))).toBe('stale');
    expect(codeOf(await w1.set(KEY, 1, { lease: forged(lease, 999) }))).toBe('stale');
    ok(await w1.set(KEY, 1, { lease }));
  });

  it('board 20: a key that nobody claimed cannot be written', async () => {
    const lease = ok(await w1.claim('claims/other'));
    for (const generation of [0, 1]) {
      const made = { ...forged(lease, generation), key: KEY };
      expect(refusal(await w1.set(KEY, 1, { lease: made })).code).toMatch(/unknown-item|stale|not-held/);
    }
    expect(codeOf(await w1.set(KEY, 1))).toBe('not-held');
    expect(codeOf(await w1.append(KEY, 1))).toBe('not-held');
    expect(await w1.get(KEY)).toBeUndefined();
  });

  it('board 21: the right number in the wrong hands is refused', async () => {
    const lease = ok(await w1.claim(KEY));
    expect(codeOf(await w2.set(KEY, 1, { lease }))).toBe('stale');
    expect(codeOf(await w2.append(KEY, 1, { lease }))).toBe('stale');
    expect(codeOf(await w2.heartbeat(lease))).toBe('stale');
    expect(codeOf(await w2.release(lease))).toBe('stale');
    expect(codeOf(await w2.complete(lease, 1))).toBe('stale');
    ok(await w1.set(KEY, 1, { lease }));
  });

  it('a lease of one item does not open another', async () => {
    const lease = ok(await w1.claim('claims/other'));
    await expect(w1.set(KEY, 1, { lease })).rejects.toEqual(thrown('INVALID_ARGUMENT', /lease\.key/));
  });

  it('board 22: a lease that ran out writes nothing, though nobody has taken the item', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10 }));
    pass(10);
    expect(codeOf(await w1.set(KEY, 1, { lease }))).toBe('expired');
    expect(codeOf(await w1.append(KEY, 1, { lease }))).toBe('expired');
    expect(codeOf(await w1.complete(lease, 1))).toBe('expired');
  });

  it('board 23: a released item is granted under the next generation', async () => {
    ok(await w1.release(ok(await w1.claim(KEY))));
    expect(ok(await w2.claim(KEY))).toMatchObject({ generation: 2n, kind: 'fresh' });
  });

  it('board 24: the holder that released is fenced out', async () => {
    const lease = ok(await w1.claim(KEY));
    ok(await w1.release(lease));
    expect(codeOf(await w1.set(KEY, 1, { lease }))).toBe('not-held');
    ok(await w2.claim(KEY));
    expect(codeOf(await w1.set(KEY, 1, { lease }))).toBe('stale');
  });

  it('board 25: after a forced release the former holder can do nothing', async () => {
    const lease = ok(await w1.claim(KEY));
    ok(await w2.asWorker('operator').forceRelease(KEY));
    expect(codeOf(await w1.set(KEY, 1, { lease }))).toBe('not-held');
    expect(codeOf(await w1.heartbeat(lease))).toBe('not-held');
    expect(codeOf(await w1.release(lease))).toBe('not-held');
    expect(boards.world.events().at(-1)).toMatchObject({
      kind: 'force-released',
      author: 'operator',
      key: KEY,
    });
    expect(ok(await w2.claim(KEY)).generation).toBe(2n);
  });

  it('board 26: generations rise through ten cycles of release and expiry, also across reopening', async () => {
    const seen: (bigint | undefined)[] = [];
    for (let cycle = 0; cycle < 10; cycle += 1) {
      const board = await boards.open('w1');
      const lease = ok(await board.claim(KEY, { leaseMs: 10 }));
      seen.push(lease.generation);
      if (cycle % 2 === 0) ok(await board.release(lease));
      else pass(10);
      // A memory store lives with its process; there only the handle is a new one.
      await board.store.close();
    }
    expect(seen).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n]);
  });

  it('board 28: the same label takes its own lease anew, and the older handle is fenced out', async () => {
    const older = ok(await w1.claim(KEY));
    const newer = ok(await w1.claim(KEY));
    expect([older.generation, newer.generation, newer.kind]).toEqual([1n, 2n, 'reacquired']);
    expect(codeOf(await w1.set(KEY, 1, { lease: older }))).toBe('stale');
    ok(await w1.set(KEY, 1, { lease: newer }));
    expect(boards.world.events().map((event) => event.kind)).toEqual(['claimed', 'reacquired', 'set']);
  });

  it("board 29: a heartbeat extends by the lease's own duration", async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10_000 }));
    pass(5_000);
    expect(ok(await w1.heartbeat(lease)).expiresAtMs).toBe(15_000);
  });

  it('board 30: after a reclaim the old heartbeat is lost', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10_000 }));
    pass(5_000);
    const extended = ok(await w1.heartbeat(lease));
    pass(20_000);
    ok(await w2.claim(KEY));
    expect(codeOf(await w1.heartbeat(extended))).toBe('stale');
  });

  it('board 31: a heartbeat never shortens', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 100_000 }));
    expect(ok(await w1.heartbeat(lease, { extendMs: 1 })).expiresAtMs).toBe(100_000);
  });

  it('board 32: after its end a lease is not revived', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10_000 }));
    pass(10_000);
    expect(codeOf(await w1.heartbeat(lease))).toBe('expired');
    expect(await w1.reclaimable()).toEqual([KEY]);
  });

  it('board 33: after a release the heartbeat is lost', async () => {
    const lease = ok(await w1.claim(KEY));
    ok(await w1.release(lease));
    expect(codeOf(await w1.heartbeat(lease))).toBe('not-held');
  });

  it('board 34: a stale release changes nothing and tells nobody', async () => {
    const [old, taken] = await reclaimed();
    const events = boards.world.events();
    expect(codeOf(await w1.release(old))).toBe('stale');
    expect(boards.world.events()).toEqual(events);
    ok(await w2.set(KEY, 1, { lease: taken }));
  });

  it('a holder may release after the end, before anybody took the item', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10 }));
    pass(10);
    ok(await w1.release(lease));
    expect(await w1.reclaimable()).toEqual([]);
  });

  it('board 35: complete stores the result and ends the item for good', async () => {
    ok(await w1.complete(ok(await w1.claim(KEY)), { answer: 42 }));
    expect(await w2.item(KEY)).toMatchObject({ state: 'done', owner: 'w1', result: { answer: 42 } });
    expect(codeOf(await w1.claim(KEY))).toBe('completed');
    expect(codeOf(await w2.claim(KEY))).toBe('completed');
    expect(boards.world.events().map((event) => event.kind)).toEqual(['claimed', 'completed']);
  });

  it('board 36: a complete that breaks in the middle leaves neither half', async () => {
    let broken = true;
    const crashing = await boards.open('w1', {
      rules: {
        ...leaseRules,
        complete(row, call, nowMs) {
          const decision = leaseRules.complete(row, call, nowMs);
          if (!broken || decision.change === undefined) return decision;
          // The row is written first; then its events are asked for, and that is where it breaks.
          const change = { ...decision.change };
          Object.defineProperty(change, 'events', {
            get() {
              throw new Error('crash');
            },
          });
          return { change } as typeof decision;
        },
      },
    });
    const lease = ok(await crashing.claim(KEY));
    await expect(crashing.complete(lease, 'result')).rejects.toThrow('crash');
    const item = await w2.item(KEY);
    expect(item).toMatchObject({ state: 'leased', owner: 'w1' });
    expect(item).not.toHaveProperty('result');
    expect(boards.world.events().map((event) => event.kind)).toEqual(['claimed']);
    broken = false;
    ok(await crashing.complete(lease, 'result'));
    expect(await w2.item(KEY)).toMatchObject({ state: 'done', result: 'result' });
    expect(boards.world.events().map((event) => event.kind)).toEqual(['claimed', 'completed']);
  });

  it('board 38: what a worker wrote into its results under a lease that lapsed stays readable', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10 }));
    ok(await w1.set('results/w1/partial', 'half', { lease }));
    pass(10);
    ok(await w2.claim(KEY));
    expect(await w2.get('results/w1/partial')).toMatchObject({ value: 'half', author: 'w1', generation: 1n });
    // The number is a note here and never checked, so what is found late can still be handed over.
    ok(await w1.append('results/w1/partial', 'more', { lease }));
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])(
    'board 40: a duration of %d is invalid',
    async (ms) => {
      const error = thrown('INVALID_ARGUMENT');
      await expect(w1.claim(KEY, { leaseMs: ms })).rejects.toEqual(error);
      const lease = ok(await w1.claim(KEY));
      await expect(w1.heartbeat(lease, { extendMs: ms })).rejects.toEqual(error);
    },
  );

  it('board 54: an instant of 0 is an instant', async () => {
    const lease = ok(await w1.claim(KEY, { leaseMs: 10 }));
    expect([lease.acquiredAtMs, lease.expiresAtMs]).toEqual([0, 10]);
    pass(10);
    expect(await w1.reclaimable()).toEqual([KEY]);
    expect(await w1.reclaimable(0)).toEqual([]);
    expect(await w1.expired(lease)).toBe(true);
    expect(await w1.expired(lease, 0)).toBe(false);
    expect(await w1.expired({ ...lease, expiresAtMs: 0 }, 0)).toBe(true);
  });

  describe('durations', () => {
    it('come from the kind of item, the first that matches', async () => {
      const board = await boards.open('w1', { leaseMs: { 'claims/slow': 500, 'claims/*': 20 } });
      expect(ok(await board.claim('claims/slow')).leaseMs).toBe(500);
      expect(ok(await board.claim('claims/quick')).leaseMs).toBe(20);
      expect(ok(await board.claim('claims/asked', { leaseMs: 7 })).leaseMs).toBe(7);
    });

    it('have no default', async () => {
      const { createBoard } = await import('../../../src/board/board.ts');
      const board = createBoard({ store: w1.store });
      await expect(board.claim(KEY)).rejects.toEqual(thrown('INVALID_ARGUMENT', /leaseMs.*p95/));
      ok(await board.claim(KEY, { leaseMs: 1 }));
    });
  });

  it('finds an item among neighbours', async () => {
    const keys = [
      'claims/a',
      'claims/a-',
      'claims/a0',
      'claims/a\u{10FFFF}',
      'claims/b',
      'claims/\u{10000}',
      'claims/\uE000',
    ];
    for (const key of keys) ok(await w1.claim(key));
    for (const key of keys) expect(await w1.item(key)).toMatchObject({ key });
    for (const key of ['claims/', 'claims/a\u0001', 'claims/aa', 'claims/c', 'a', '\u0001']) {
      expect(await w1.item(key)).toBeUndefined();
    }
  });
});
