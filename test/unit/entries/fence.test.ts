/** Fenced writes on every engine: spec/board.md B5.2 and the checks 17 to 26 at the level of the store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease } from '../../../src/store.ts';
import { append, del, everything, forged, refusalOf, set } from '../../support/entries.ts';
import {
  codeOf,
  createWorld,
  ENGINES,
  enqueue,
  type Handle,
  ok,
  request,
  type World,
  worker,
} from '../../support/world.ts';

const KEY = 'claims/item-1';

describe.each(ENGINES)('a fenced write on %s', (engine) => {
  let world: World;
  let a: Handle;
  let b: Handle;
  const claim = async (owner: string, leaseMs = 10) => ok(await worker(a, owner).claim(KEY, leaseMs));
  const write = (lease: Lease, author = lease.owner, key = KEY) =>
    a.entries.commit([set(key, 'x', { author, fence: lease })]);

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    b = await world.open();
    await enqueue(a, KEY, 'claims/other');
  });
  afterEach(() => world.end());

  it('passes while the lease stands, and carries its generation', async () => {
    const lease = await claim('w1');
    expect(ok(await write(lease))).toMatchObject([{ key: KEY, version: 1, author: 'w1', generation: 1n }]);
    world.clock.advance(9);
    ok(await a.entries.commit([append(KEY, 'y', { fence: lease })]));
    const { events } = await a.feed.since(3, 10);
    expect(events).toMatchObject([
      { kind: 'set', key: KEY, version: 1, generation: 1n },
      { kind: 'appended', key: KEY, version: 2, generation: 1n },
    ]);
  });

  it('passes with a lease that another handle was granted', async () => {
    const lease = await claim('w1');
    ok(await b.entries.commit([set(KEY, 'x', { fence: lease })]));
  });

  it('passes with no more of the lease than key, owner and token', async () => {
    const { key, owner, token } = await claim('w1');
    ok(await write({ key, owner, token, leaseMs: 0 }));
  });

  it('may fence a write to another key', async () => {
    const lease = await claim('w1');
    expect(ok(await write(lease, 'w1', 'results/w1/x'))).toMatchObject([{ generation: 1n }]);
    world.clock.advance(10);
    expect(codeOf(await write(lease, 'w1', 'results/w1/x'))).toBe('expired');
  });

  const refusals: [code: string, title: string, arrange: () => Promise<Lease>][] = [
    [
      'stale',
      'board 17: reclaimed, the new owner has written nothing yet',
      async () => {
        const old = await claim('w1');
        world.clock.advance(11);
        await claim('w2');
        return old;
      },
    ],
    ['stale', 'board 19: generation + 1', async () => forged(await claim('w1'), { token: '2' })],
    ['stale', 'board 19: generation 999', async () => forged(await claim('w1'), { token: '999' })],
    ['stale', 'board 20: never claimed, generation 1', async () => leaseOf('1')],
    ['not-held', 'board 20: never claimed, generation 0', async () => leaseOf('0')],
    ['stale', 'board 21: another owner', async () => forged(await claim('w1'), { owner: 'w2' })],
    [
      'expired',
      'board 22: over at the very instant, nobody reclaimed',
      async () => {
        const lease = await claim('w1');
        world.clock.advance(10);
        return lease;
      },
    ],
    [
      'not-held',
      'released by itself',
      async () => {
        const lease = await claim('w1');
        ok(await worker(a, 'w1').release(lease));
        return lease;
      },
    ],
    [
      'stale',
      'board 24: released and claimed by another',
      async () => {
        const lease = await claim('w1');
        ok(await worker(a, 'w1').release(lease));
        await claim('w2');
        return lease;
      },
    ],
    [
      'not-held',
      'board 25: force released',
      async () => {
        const lease = await claim('w1');
        ok(await a.work.forceRelease(KEY, { request: request(), by: 'op' }));
        return lease;
      },
    ],
    [
      'stale',
      'board 28: its own older generation after a re-acquire',
      async () => {
        const lease = await claim('w1');
        ok(await worker(a, 'w1').claim(KEY, 10, true));
        return lease;
      },
    ],
    [
      'completed',
      'after its own completion',
      async () => {
        const lease = await claim('w1');
        ok(await worker(a, 'w1').complete(lease, 'done'));
        return lease;
      },
    ],
    [
      'dead',
      'after the last attempt failed',
      async () => {
        await enqueue(a, { key: 'claims/once', maxAttempts: 1 });
        const lease = ok(await worker(a, 'w1').claim('claims/once', 10));
        ok(await worker(a, 'w1').nack(lease));
        return lease;
      },
    ],
    ['unknown-item', 'no such item', async () => forged(leaseOf('1'), { key: 'claims/none' })],
  ];

  it.each(refusals)('is refused as %s: %s', async (code, _title, arrange) => {
    const lease = await arrange();
    const before = await everything(a);
    expect(refusalOf(await write(lease)).code).toBe(code);
    expect(codeOf(await a.entries.commit([append(KEY, 'x', { author: lease.owner, fence: lease })]))).toBe(
      code,
    );
    expect(codeOf(await a.entries.commit([del(KEY, { author: lease.owner, fence: lease })]))).toBe(code);
    expect(await everything(a)).toEqual(before);
    expect(await a.counters()).toMatchObject({ [`refusals.${code}`]: 3 });
  });

  it('board 17, 18: says that the generation is stale, and which one stands', async () => {
    const old = await claim('w1');
    world.clock.advance(11);
    await claim('w2');
    const refusal = refusalOf(await a.entries.commit([append(KEY, 'x', { fence: old })]));
    expect(refusal).toMatchObject({ code: 'stale', current: 2, holder: 'w2' });
    expect(refusal.message).toContain('stale lease generation 1');
  });

  it('board 19: a wrong number does not lock the holder out', async () => {
    const lease = await claim('w1');
    expect(codeOf(await write(forged(lease, { token: '999' })))).toBe('stale');
    ok(await write(lease));
  });

  it('board 21: who writes must be who holds', async () => {
    const lease = await claim('w1');
    expect(refusalOf(await write(lease, 'w2'))).toMatchObject({ code: 'stale', holder: 'w1' });
  });

  it('board 26: ten grants, and each fences out all before it, also after reopening', async () => {
    const leases: Lease[] = [];
    for (let cycle = 0; cycle < 10; cycle += 1) {
      const lease = await claim('w1', 5);
      for (const old of leases) expect(codeOf(await write(old))).toBe('stale');
      expect(ok(await write(lease))).toMatchObject([{ generation: BigInt(cycle + 1), version: cycle + 1 }]);
      leases.push(lease);
      if (cycle % 2 === 0) ok(await worker(a, 'w1').release(lease));
      else world.clock.advance(5);
      if (cycle === 5) {
        await a.close();
        a = await world.open();
      }
    }
  });

  it('board B5.8: the fence is looked at before any version', async () => {
    const lease = await claim('w1');
    world.clock.advance(10);
    const writes = [set('plan', 1, { ifVersion: 9 }), set(KEY, 'x', { fence: lease, ifVersion: 9 })];
    const require = [{ key: 'plan', version: 9 }];
    expect(codeOf(await a.entries.commit(writes, { require }))).toBe('expired');
  });

  it('one lapsed lease of two refuses both writes', async () => {
    const first = await claim('w1', 5);
    const second = ok(await worker(a, 'w1').claim('claims/other', 100));
    world.clock.advance(5);
    const before = await everything(a);
    const outcome = await a.entries.commit([
      set('claims/other', 'x', { fence: second }),
      set(KEY, 'x', { fence: first }),
    ]);
    expect(codeOf(outcome)).toBe('expired');
    expect(await everything(a)).toEqual(before);
  });

  function leaseOf(token: string): Lease {
    return { key: KEY, owner: 'w1', token, leaseMs: 10 };
  }
});
