/** Who may have an item, on every engine: spec/board.md B4, B5.1, B5.6, B6.13, 14, 16, 23, 25, 26, 28, 54. */
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

describe.each(ENGINES)('claim on %s', (engine) => {
  let world: World;
  let a: Handle;
  let b: Handle;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    b = await world.open();
  });
  afterEach(() => world.end());

  it('grants a free item under generation 1 from now until now + leaseMs', async () => {
    await enqueue(a, KEY);
    world.clock.advance(7);
    const lease = ok(await worker(a, 'w1').claim(KEY, 10_000));
    expect(lease).toEqual({
      key: KEY,
      owner: 'w1',
      token: '1',
      generation: 1n,
      attempt: 1,
      acquiredAtMs: 7,
      expiresAtMs: 10_007,
      leaseMs: 10_000,
      payload: null,
      kind: 'fresh',
    });
  });

  it('hands out the payload that was enqueued', async () => {
    const payload = { text: 'ä\u0000"\ud83d\ude00', list: [1, -0.5, null, true], nested: { a: {} } };
    ok(await a.work.enqueue([{ key: KEY, payload }], { request: 'r' }));
    expect(ok(await worker(b, 'w1').claim(KEY, 10)).payload).toEqual(payload);
  });

  it('refuses a live lease to another worker and names holder, generation and deadline', async () => {
    await enqueue(a, KEY);
    ok(await worker(a, 'w1').claim(KEY, 10_000));
    const answer = await worker(b, 'w2').claim(KEY, 10_000);
    expect(answer).toMatchObject({ accepted: false, refusal: { code: 'held', holder: 'w1', current: 1 } });
    expect(answer).toHaveProperty('refusal.message', expect.stringContaining('until 10000'));
  });

  it('refuses a live lease to its own owner too', async () => {
    await enqueue(a, KEY);
    ok(await worker(a, 'w1').claim(KEY, 10_000));
    expect(codeOf(await worker(b, 'w1').claim(KEY, 10_000))).toBe('held');
    expect(codeOf(await worker(b, 'w1').claim(KEY, 10_000, false))).toBe('held');
  });

  it('reacquires for the same owner under a new generation that fences the old one', async () => {
    await enqueue(a, KEY);
    const old = ok(await worker(a, 'w1').claim(KEY, 10_000));
    const lease = ok(await worker(b, 'w1').claim(KEY, 500, true));
    expect(lease).toMatchObject({ generation: 2n, kind: 'reacquired', attempt: 2, expiresAtMs: 500 });
    expect(codeOf(await worker(a, 'w1').complete(old, 'old'))).toBe('stale');
    expect(ok(await worker(b, 'w1').complete(lease, 'new'))).toBeUndefined();
    expect(world.events().map((event) => event.kind)).toEqual([
      'enqueued',
      'claimed',
      'reacquired',
      'completed',
    ]);
  });

  it('does not reacquire for another owner', async () => {
    await enqueue(a, KEY);
    ok(await worker(a, 'w1').claim(KEY, 10_000));
    expect(codeOf(await worker(b, 'w2').claim(KEY, 10_000, true))).toBe('held');
  });

  it('holds one millisecond before the end of the lease and not at its end', async () => {
    await enqueue(a, KEY);
    ok(await worker(a, 'w1').claim(KEY, 1));
    expect(codeOf(await worker(b, 'w2').claim(KEY, 5))).toBe('held');
    world.clock.advance(1);
    expect(ok(await worker(b, 'w2').claim(KEY, 5))).toMatchObject({ generation: 2n, kind: 'reclaimed' });
    world.clock.advance(4);
    expect(codeOf(await worker(a, 'w1').claim(KEY, 1))).toBe('held');
    expect(codeOf(await worker(a, 'w1').claimNext('', 1))).toBe('empty');
    world.clock.advance(1);
    expect(ok(await worker(a, 'w1').claimNext('', 1))).toMatchObject([{ generation: 3n, kind: 'reclaimed' }]);
  });

  it('takes the instant 0 for an instant', async () => {
    ok(await a.work.enqueue([{ key: KEY, payload: 0, notBeforeMs: 0 }], { request: request() }));
    expect(await a.nowMs()).toBe(0);
    expect(ok(await worker(a, 'w1').claim(KEY, 1))).toMatchObject({
      acquiredAtMs: 0,
      expiresAtMs: 1,
      payload: 0,
    });
    expect(codeOf(await worker(b, 'w2').claim(KEY, 1))).toBe('held');
  });

  it('grants to the former owner again after its lease ran out, under a new generation', async () => {
    await enqueue(a, KEY);
    const old = ok(await worker(a, 'w1').claim(KEY, 10));
    world.clock.advance(10);
    const lease = ok(await worker(a, 'w1').claim(KEY, 10));
    expect(lease).toMatchObject({ generation: 2n, kind: 'reclaimed' });
    expect(codeOf(await worker(a, 'w1').complete(old, 'x'))).toBe('stale');
  });

  it('counts generations 1 to 12 over release, expiry, nack, force release and reopening', async () => {
    await enqueue(a, KEY);
    const seen: (bigint | undefined)[] = [];
    let store = a;
    for (let round = 0; round < 3; round += 1) {
      for (const way of ['release', 'nack', 'force', 'expiry']) {
        const w = worker(store, 'w1');
        const lease = ok(await w.claim(KEY, 10));
        seen.push(lease.generation);
        if (way === 'release') ok(await w.release(lease));
        if (way === 'nack') ok(await w.nack(lease));
        if (way === 'force') ok(await b.work.forceRelease(KEY, { request: request(), by: 'operator' }));
        if (way === 'expiry') world.clock.advance(10);
      }
      await store.close();
      store = await world.open();
    }
    expect(seen).toEqual([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n, 10n, 11n, 12n]);
  });

  it('keeps a lease of a year', async () => {
    const year = 365 * 24 * 3600 * 1000;
    await enqueue(a, KEY);
    ok(await worker(a, 'w1').claim(KEY, year));
    world.clock.advance(year - 1);
    expect(codeOf(await worker(b, 'w2').claim(KEY, 1))).toBe('held');
    world.clock.advance(1);
    expect(ok(await worker(b, 'w2').claim(KEY, 1)).kind).toBe('reclaimed');
  });

  it('refuses a finished item for good', async () => {
    await enqueue(a, KEY);
    const lease = ok(await worker(a, 'w1').claim(KEY, 10));
    ok(await worker(a, 'w1').complete(lease, 'done'));
    world.clock.advance(1000);
    expect(codeOf(await worker(b, 'w2').claim(KEY, 10))).toBe('completed');
    expect(codeOf(await worker(b, 'w1').claim(KEY, 10, true))).toBe('completed');
    expect(codeOf(await worker(b, 'w2').claimNext('', 10))).toBe('empty');
    expect(await itemOf(b, KEY)).toMatchObject({
      state: 'done',
      result: 'done',
      generation: 1n,
      owner: 'w1',
    });
  });

  it('refuses an unknown key where items are enqueued, and makes the item on demand where the store was told so', async () => {
    expect(codeOf(await worker(a, 'w1').claim(KEY, 10))).toBe('unknown-item');
    expect(await itemOf(a, KEY)).toBeUndefined();
    const onDemand = await world.open({ items: 'on-demand' });
    const lease = ok(await worker(onDemand, 'w1').claim(KEY, 10));
    expect(lease).toMatchObject({ generation: 1n, kind: 'fresh', attempt: 1 });
    expect(lease).not.toHaveProperty('payload');
    expect(codeOf(await worker(a, 'w2').claim(KEY, 10))).toBe('held');
    world.clock.advance(10);
    expect(ok(await worker(a, 'w2').claim(KEY, 10)).generation).toBe(2n);
    expect(world.events().map((event) => event.kind)).toEqual(['claimed', 'reclaimed']);
  });
});
