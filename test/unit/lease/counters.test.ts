/** What is counted, on every engine: spec/board.md B5.15, B6.58. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createWorld,
  ENGINES,
  enqueue,
  type Handle,
  ok,
  request,
  type World,
  worker,
} from '../../support/world.ts';

describe.each(ENGINES)('counters on %s', (engine) => {
  let world: World;
  let a: Handle;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
  });
  afterEach(() => world.end());

  it('start at 0', async () => {
    expect(await a.counters()).toEqual({
      enqueued: 0,
      claims: 0,
      reclaims: 0,
      reacquires: 0,
      completes: 0,
      nacks: 0,
      releases: 0,
      forceReleases: 0,
      dead: 0,
      refusals: 0,
      conflicts: 0,
      appends: 0,
      sets: 0,
      deletes: 0,
    });
  });

  it('count each accepted call once and each refusal by its code, but no empty answer', async () => {
    const b = await world.open();
    const [w1, w2] = [worker(a, 'w1'), worker(b, 'w2')];
    await enqueue(a, 'k1', 'k2', { key: 'k3', maxAttempts: 1 });
    const old = ok(await w1.claim('k1', 10));
    await w2.claim('k1', 10); // held
    await w2.claim('k9', 10); // unknown-item
    ok(await w1.heartbeat(old));
    world.clock.advance(10);
    await w1.heartbeat(old); // expired
    const lease = ok(await w2.claim('k1', 10));
    await w1.complete(old, 'x'); // stale
    await w1.complete(old, 'x'); // stale
    const again = ok(await w2.claim('k1', 10, true));
    ok(await w2.release(again));
    await w2.release(lease); // stale
    ok(await w2.complete(ok(await w2.claim('k1', 10)), 'x'));
    ok(await w1.claim('k2', 10));
    ok(await b.work.forceRelease('k2', { request: request(), by: 'op' }));
    ok(await w1.nack(ok(await w1.claim('k2', 10))));
    ok(await w1.nack(ok(await w1.claim('k3', 10))));
    await w1.claim('k3', 10); // dead
    await w1.claimNext('none', 10); // empty: not counted
    expect(await b.counters()).toEqual({
      enqueued: 3,
      claims: 7,
      reclaims: 1,
      reacquires: 1,
      completes: 1,
      nacks: 2,
      releases: 1,
      forceReleases: 1,
      dead: 1,
      refusals: 7,
      conflicts: 4,
      appends: 0,
      sets: 0,
      deletes: 0,
      'refusals.held': 1,
      'refusals.unknown-item': 1,
      'refusals.expired': 1,
      'refusals.stale': 3,
      'refusals.dead': 1,
    });
  });

  it('every accepted transition has exactly one event of its own, in order, with rising ids', async () => {
    const w1 = worker(a, 'w1');
    world.clock.advance(3);
    await enqueue(a, 'k');
    ok(await w1.nack(ok(await w1.claim('k', 10))));
    await w1.claim('none', 10);
    world.clock.advance(4);
    ok(await w1.complete(ok(await w1.claim('k', 10)), 'x'));
    const at = (id: number, atMs: number, kind: string, author: string, generation: number) => ({
      id,
      atMs,
      kind,
      key: 'k',
      author,
      generation,
    });
    expect(world.events()).toEqual([
      at(1, 3, 'enqueued', '', 0),
      at(2, 3, 'claimed', 'w1', 1),
      at(3, 3, 'nacked', 'w1', 1),
      at(4, 7, 'claimed', 'w1', 2),
      at(5, 7, 'completed', 'w1', 2),
    ]);
  });
});
