/** Faults that users of other systems reported, replayed on every engine: A01, A02, A04, A06 of cases.md. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skewed } from '../../support/fake-clock.ts';
import {
  codeOf,
  createWorld,
  ENGINES,
  enqueue,
  type Handle,
  itemOf,
  ok,
  type World,
  worker,
} from '../../support/world.ts';

const T = 'claims/T';

describe.each(ENGINES)('reported faults on %s', (engine) => {
  let world: World;
  let a: Handle;
  let b: Handle;

  async function start(wallMs = 0): Promise<void> {
    world = createWorld(engine, { wallMs });
    a = await world.open();
    b = await world.open();
    await enqueue(a, T);
  }
  beforeEach(() => start());
  afterEach(() => world.end());

  it('A01 same name, two attempts', async () => {
    const old = worker(a, 'W1');
    const fresh = worker(b, 'W1');
    const first = ok(await old.claim(T, 1000));
    world.clock.advance(1200);
    const second = ok(await fresh.claim(T, 1000));
    expect(second).toMatchObject({ generation: 2n, expiresAtMs: 2200 });
    world.clock.advance(100);
    const before = { item: await itemOf(a, T), events: world.events() };
    expect(codeOf(await old.heartbeat(first))).toBe('stale');
    expect(codeOf(await old.release(first))).toBe('stale');
    expect(codeOf(await old.complete(first, 'old'))).toBe('stale');
    expect({ item: await itemOf(a, T), events: world.events() }).toEqual(before);
    world.clock.advance(100);
    ok(await fresh.complete(second, 'new'));
    expect(await itemOf(a, T)).toMatchObject({ state: 'done', result: 'new', attempts: 2 });
    expect(world.events().filter((event) => event.kind === 'completed')).toHaveLength(1);
  });

  it('A02 the late unlock', async () => {
    const [w1, w2, w3] = [worker(a, 'W1'), worker(b, 'W2'), worker(b, 'W3')];
    const first = ok(await w1.claim(T, 1000));
    world.clock.advance(1001);
    const second = ok(await w2.claim(T, 1000));
    expect(second.expiresAtMs).toBe(2001);
    world.clock.advance(2);
    expect(codeOf(await w1.nack(first, 'timed out'))).toBe('stale');
    expect(codeOf(await w1.release(first))).toBe('stale');
    world.clock.advance(5);
    expect(codeOf(await w3.claim(T, 1000))).toBe('held');
    expect(codeOf(await w3.claimNext('', 1000))).toBe('empty');
    world.clock.advance(492);
    ok(await w2.complete(second, 'x'));
    expect(await itemOf(a, T)).toMatchObject({ state: 'done', attempts: 2 });
    expect(world.events().map((event) => event.kind)).toEqual([
      'enqueued',
      'claimed',
      'reclaimed',
      'completed',
    ]);
  });

  it('A04 a worker whose clock is 900 ms ahead steals nothing', async () => {
    const w1 = worker(a, 'W1');
    const ahead = worker(await world.open({ clock: skewed(world.clock, 900) }), 'W2');
    const lease = ok(await w1.claim(T, 1000));
    world.clock.advance(200);
    expect(codeOf(await ahead.claim(T, 1000))).toBe('held');
    world.clock.advance(200);
    expect(ok(await w1.heartbeat(lease)).expiresAtMs).toBe(1400);
    world.clock.advance(999);
    expect(codeOf(await ahead.claim(T, 1000))).toBe('held');
  });

  it('A04 a worker whose clock is 900 ms behind waits no longer than anybody', async () => {
    const w1 = worker(a, 'W1');
    const behind = worker(await world.open({ clock: skewed(world.clock, -900) }), 'W2');
    ok(await w1.claim(T, 1000));
    const granted: number[] = [];
    for (let at = 50; at <= 1200 && granted.length === 0; at += 50) {
      world.clock.advance(50);
      if ((await behind.claim(T, 1000)).accepted) granted.push(at);
    }
    expect(granted).toEqual([1000]);
  });

  it.each([900, -900, 3_600_000, -3_600_000])(
    'A04 a step of the wall clock by %i ms decides nothing',
    async (step) => {
      const lease = ok(await worker(a, 'W1').claim(T, 1000));
      world.clock.advance(500);
      world.clock.stepWall(step);
      expect(await a.nowMs()).toBe(500);
      expect(codeOf(await worker(b, 'W2').claim(T, 1000))).toBe('held');
      const late = await world.open();
      expect(codeOf(await worker(late, 'W3').claim(T, 1000))).toBe('held');
      expect(codeOf(await worker(a, 'W1').heartbeat(lease))).toBe('accepted');
      world.clock.advance(1000);
      expect(ok(await worker(late, 'W3').claim(T, 1000))).toMatchObject({
        acquiredAtMs: 1500,
        kind: 'reclaimed',
      });
    },
  );

  it('A06 a lease within one day', async () => {
    world.end();
    await start(Date.parse('2026-07-12T17:25:00.000Z'));
    ok(await worker(a, 'W1').claim(T, 600_000));
    world.clock.advance(60_000);
    expect(codeOf(await worker(b, 'W2').claim(T, 1000))).toBe('held');
  });

  it('A06 a lease over midnight', async () => {
    world.end();
    await start(Date.parse('2026-07-12T23:59:59.500Z'));
    ok(await worker(a, 'W1').claim(T, 1000));
    world.clock.advance(700);
    expect(codeOf(await worker(b, 'W2').claim(T, 1000))).toBe('held');
    world.clock.advance(400);
    expect(codeOf(await worker(b, 'W2').claim(T, 1000))).toBe('accepted');
  });

  it('A06 instants of different length: 1000 comes after 999', async () => {
    world.clock.advance(999);
    ok(await worker(a, 'W1').claim(T, 1));
    expect(codeOf(await worker(b, 'W2').claim(T, 1))).toBe('held');
    world.clock.advance(1);
    expect(codeOf(await worker(b, 'W2').claim(T, 1))).toBe('accepted');
  });
});
