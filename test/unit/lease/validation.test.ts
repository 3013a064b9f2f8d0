/** What breaks the contract is thrown as INVALID_ARGUMENT, is definite and writes nothing: spec/board.md B6.40, 42, 60. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Json, Lease } from '../../../src/store.ts';
import { createWorld, ENGINES, enqueue, type Handle, ok, type World, worker } from '../../support/world.ts';

const cycle: Record<string, unknown> = {};
cycle.self = cycle;
let deep: unknown = null;
for (let i = 0; i < 501; i += 1) deep = [deep];

const NOT_JSON: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['NaN', Number.NaN],
  ['an infinity', Number.POSITIVE_INFINITY],
  ['a nested NaN', { a: [{ b: Number.NaN }] }],
  ['a BigInt', 1n],
  ['a function', () => 1],
  ['a symbol', Symbol('x')],
  ['undefined in an array', [undefined]],
  // biome-ignore lint/suspicious/noSparseArray: the hole is the point
  ['a hole in an array', [1, , 2]],
  ['a date', new Date(0)],
  ['a map', new Map()],
  ['an object with toJSON', { toJSON: () => 'text' }],
  ['a cycle', cycle],
  ['too deep', deep],
];

describe.each(ENGINES)('arguments on %s', (engine) => {
  let world: World;
  let a: Handle;
  let lease: Lease;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    await enqueue(a, 'held', 'free');
    lease = ok(await worker(a, 'w1').claim('held', 1000));
  });
  afterEach(() => world.end());

  async function rejects(body: () => unknown): Promise<void> {
    const before = { items: await a.work.scan({ limit: 99 }), events: world.events() };
    await expect((async () => body())()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', definite: true });
    expect({ items: await a.work.scan({ limit: 99 }), events: world.events() }).toEqual(before);
  }

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', null, undefined, 1n])(
    'a leaseMs of %s',
    async (bad) => {
      const by = { owner: 'w2', leaseMs: bad as number, request: 'r' };
      await rejects(() => a.work.claim('free', by));
      await rejects(() => a.work.claimNext('', by));
    },
  );

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, '1', null])('an extendMs of %s', async (bad) => {
    await rejects(() => a.work.heartbeat(lease, { request: 'r', extendMs: bad as number }));
  });

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null])('a limit of %s', async (bad) => {
    const limit = bad as number;
    await rejects(() => a.work.claimNext('', { owner: 'w2', leaseMs: 1, request: 'r', limit }));
    await rejects(() => a.work.scan({ limit }));
  });

  it.each([0, -1, 1.5, Number.NaN, '1', null])('a maxAttempts of %s', async (bad) => {
    const item = { key: 'new', payload: null, maxAttempts: bad as number };
    await rejects(() => a.work.enqueue([{ key: 'first', payload: null }, item], { request: 'r' }));
  });

  it.each([Number.NaN, Number.NEGATIVE_INFINITY, '1', null])('a notBeforeMs of %s', async (bad) => {
    const item = { key: 'new', payload: null, notBeforeMs: bad as number };
    await rejects(() => a.work.enqueue([item], { request: 'r' }));
  });

  it.each(['', 7, null, undefined, 'a\0b', '\ud800', 'x'.repeat(1025)])('the key %j', async (bad) => {
    const key = bad as string;
    await rejects(() => a.work.enqueue([{ key, payload: null }], { request: 'r' }));
    await rejects(() => a.work.claim(key, { owner: 'w2', leaseMs: 1, request: 'r' }));
    await rejects(() => a.work.forceRelease(key, { request: 'r', by: 'operator' }));
    await rejects(() => a.work.complete({ ...lease, key }, { request: 'r', result: 1 }));
  });

  it.each(['', 'a/b', '*', 'a?', 'a b', 'a\tb', '[a]', '{a}', 7, undefined])('the label %j', async (bad) => {
    const label = bad as string;
    await rejects(() => a.work.claim('free', { owner: label, leaseMs: 1, request: 'r' }));
    await rejects(() => a.work.claimNext('', { owner: label, leaseMs: 1, request: 'r' }));
    await rejects(() => a.work.forceRelease('held', { request: 'r', by: label }));
  });

  it.each(['', 7, undefined])('the request %j', async (bad) => {
    const request = bad as string;
    await rejects(() => a.work.enqueue([{ key: 'new', payload: null }], { request }));
    await rejects(() => a.work.claim('free', { owner: 'w2', leaseMs: 1, request }));
    await rejects(() => a.work.complete(lease, { request, result: 1 }));
    await rejects(() => a.work.heartbeat(lease, { request }));
    await rejects(() => a.work.release(lease, { request }));
  });

  it.each(NOT_JSON)('%s as payload and as result', async (_name, bad) => {
    const value = bad as Json;
    await rejects(() => a.work.enqueue([{ key: 'new', payload: value }], { request: 'r' }));
    await rejects(() => a.work.complete(lease, { request: 'r', result: value }));
  });

  it.each([7, null, undefined])('the error %j of a nack', async (bad) => {
    await rejects(() => a.work.nack(lease, { request: 'r', error: bad as unknown as string }));
  });

  it.each([null, undefined, 'lease', { key: 'held' }, { key: 'held', owner: 'w1', token: 1 }])(
    'the lease %j',
    async (bad) => {
      await rejects(() => a.work.release(bad as unknown as Lease, { request: 'r' }));
    },
  );

  it('a missing argument', async () => {
    const loose = a.work as unknown as Record<string, (...args: unknown[]) => unknown>;
    for (const name of ['enqueue', 'claim', 'claimNext', 'heartbeat', 'complete', 'nack', 'scan']) {
      await rejects(() => loose[name]?.());
    }
    await rejects(() => loose.enqueue?.([], undefined));
    await rejects(() => loose.claim?.('free', undefined));
    await rejects(() => loose.enqueue?.([null], { request: 'r' }));
  });

  it('names the argument and shows what it got', async () => {
    const call = () => a.work.claim('free', { owner: 'w2', leaseMs: 0, request: 'r' });
    expect(call).toThrow('Expected `leaseMs` to be a finite number of ms > 0, got 0 (number).');
    const payload = { list: [1, Number.NaN] };
    expect(() => a.work.enqueue([{ key: 'new', payload }], { request: 'r' })).toThrow(
      'items[0].payload.list[1]',
    );
  });

  it('a property that is undefined counts as absent', async () => {
    ok(await a.work.complete(lease, { request: 'r', result: { a: 1, b: undefined } }));
    const [, held] = await a.work.scan({ limit: 9 });
    expect(held?.result).toStrictEqual({ a: 1 });
  });
});
