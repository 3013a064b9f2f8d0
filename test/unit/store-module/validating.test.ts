import { describe, expect, it } from 'vitest';
import { methodsOf } from '../../../harness/store-module/methods.ts';
import { ShapeError } from '../../../harness/store-module/shape-error.ts';
import { validating } from '../../../harness/store-module/validating.ts';
import type { Lease, WorkStore } from '../../../src/store.ts';
import { fakeStore } from './fake-store.ts';

const BY = { owner: 'w1', leaseMs: 100, request: '1.0.1' };
const LEASE: Lease = { key: 'a', owner: 'w1', token: 't', generation: 1n, leaseMs: 100 };
const ok = (value?: unknown) => ({ accepted: true, value });
const no = (refusal: unknown) => ({ accepted: false, refusal });

/** The message of the ShapeError that an answer of `op` leads to. */
function wrong(op: keyof WorkStore, answer: unknown, generations = false): string {
  const told: string[] = [];
  const store = validating(fakeStore({ [op]: () => answer }), (_, message) => told.push(message), {
    generations,
  });
  const work = store.work!;
  const calls: Record<keyof WorkStore, () => unknown> = {
    enqueue: () => work.enqueue!([], BY),
    claim: () => work.claim!('a', BY),
    claimNext: () => work.claimNext!('items/', BY),
    heartbeat: () => work.heartbeat!(LEASE, BY),
    complete: () => work.complete!(LEASE, { ...BY, result: 1 }),
    nack: () => work.nack!(LEASE, { ...BY, error: 'e' }),
    release: () => work.release!(LEASE, BY),
    forceRelease: () => work.forceRelease!('a', { ...BY, by: 'op' }),
    scan: () => work.scan!({ limit: 5 }),
  };
  try {
    calls[op]();
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    expect(told).toEqual([error.message]);
    expect(error.op).toBe(op);
    return error.message;
  }
  return 'accepted';
}

describe('validating', () => {
  it.each<[keyof WorkStore, unknown, string]>([
    ['claim', 'yes', 'claim() must answer { accepted, value | refusal }, got "yes" (string)'],
    ['claim', undefined, 'claim() must answer { accepted, value | refusal }, got nothing'],
    ['claim', null, 'claim() must answer { accepted, value | refusal }, got null'],
    [
      'claim',
      LEASE,
      'claim() must answer { accepted, value | refusal }, got { key, owner, token, generation, leaseMs }',
    ],
    ['complete', true, 'complete() must answer { accepted, value | refusal }, got true (boolean)'],
    ['complete', { accepted: 1 }, 'complete() `accepted` must be true or false, got 1 (number)'],
    ['complete', { accepted: 'false' }, 'complete() `accepted` must be true or false, got "false" (string)'],
    ['release', no(undefined), 'release() `refusal` must be { code, message }, got nothing'],
    ['nack', no({ code: 'nope', message: '' }), 'nack() `refusal.code` must be one of held, empty, stale,'],
    ['enqueue', no({ code: 'duplicate' }), 'enqueue() `refusal.message` must be a text, got nothing'],
    [
      'claim',
      no({ code: 'held', message: '', holder: 3 }),
      'claim() `refusal.holder` must be a text, or left out, got 3',
    ],
    [
      'claim',
      no({ code: 'held', message: '', current: '3' }),
      'claim() `refusal.current` must be a number, or left out',
    ],
    ['claim', ok(), 'claim() `value` must be a lease { key, owner, token, leaseMs, … }, got nothing'],
    ['claim', ok({ ...LEASE, key: 7 }), 'claim() `value.key` must be a text, got 7 (number)'],
    ['claim', ok({ ...LEASE, owner: undefined }), 'claim() `value.owner` must be a text, got nothing'],
    ['claim', ok({ ...LEASE, token: 7 }), 'claim() `value.token` must be a text, got 7 (number)'],
    [
      'claim',
      ok({ ...LEASE, generation: 7 }),
      'claim() `value.generation` must be a bigint from 0n, or left out, got 7 (number)',
    ],
    ['claim', ok({ ...LEASE, generation: '7' }), 'got "7" (string)'],
    ['claim', ok({ ...LEASE, generation: -1n }), 'got -1 (bigint)'],
    [
      'claim',
      ok({ ...LEASE, leaseMs: 0 }),
      'claim() `value.leaseMs` must be a number of milliseconds above 0, got 0 (number)',
    ],
    ['claim', ok({ ...LEASE, leaseMs: Number.NaN }), 'got NaN (number)'],
    ['claim', ok({ ...LEASE, leaseMs: '100' }), 'got "100" (string)'],
    [
      'claim',
      ok({ ...LEASE, attempt: 1.5 }),
      'claim() `value.attempt` must be a whole number from 0, or left out, got 1.5',
    ],
    [
      'claim',
      ok({ ...LEASE, acquiredAtMs: 'now' }),
      'claim() `value.acquiredAtMs` must be a number of milliseconds',
    ],
    [
      'claim',
      ok({ ...LEASE, expiresAtMs: new Date(0) }),
      'claim() `value.expiresAtMs` must be a number of milliseconds',
    ],
    [
      'claim',
      ok({ ...LEASE, kind: 'new' }),
      "claim() `value.kind` must be 'fresh', 'reclaimed', 'reacquired', or left out",
    ],
    [
      'heartbeat',
      ok({ ...LEASE, key: 'b' }),
      'heartbeat() `value.key` must be the key that was asked for, "a", got "b"',
    ],
    ['heartbeat', ok(), 'heartbeat() `value` must be a lease'],
    ['claimNext', ok(LEASE), 'claimNext() `value` must be a list of leases, got { key,'],
    [
      'claimNext',
      ok([
        { ...LEASE, key: 'items/1' },
        { ...LEASE, key: 7 },
      ]),
      'claimNext() `value[1].key` must be a text, got 7 (number)',
    ],
    ['scan', ok([]), 'scan() must answer a list of items, got { accepted, value }'],
    ['scan', [5], 'scan() `[0]` must be an item { key, state, … }, got 5 (number)'],
    ['scan', [{ state: 'open' }], 'scan() `[0].key` must be a text, got nothing'],
    [
      'scan',
      [
        { key: 'a', state: 'open' },
        { key: 'b', state: 'finished' },
      ],
      "scan() `[1].state` must be 'open', 'leased', 'done' or 'dead'",
    ],
    ['scan', [{ key: 'a', state: 'done', generation: 1 }], 'scan() `[0].generation` must be a bigint'],
    ['scan', [{ key: 'a', state: 'done', attempts: -1 }], 'scan() `[0].attempts` must be a whole number'],
    ['scan', [{ key: 'a', state: 'done', owner: 1 }], 'scan() `[0].owner` must be a text'],
    ['scan', [{ key: 'a', state: 'done', completedBy: 1 }], 'scan() `[0].completedBy` must be a text'],
    ['scan', [{ key: 'a', state: 'done', enqueuedBy: 1 }], 'scan() `[0].enqueuedBy` must be a text'],
  ])('%s, answer of row %#', (op, answer, message) => {
    expect(wrong(op, answer)).toContain(message);
  });

  it('wants a generation where the store declares ordered tokens', () => {
    const bare = ok({ ...LEASE, generation: undefined });
    expect(wrong('claim', bare)).toBe('accepted');
    expect(wrong('claim', bare, true)).toContain(
      "left out only where the store declares tokens: 'opaque' or 'none'",
    );
  });

  it('lets the number of leases pass: a checker judges it', () => {
    const many = [
      { ...LEASE, key: 'items/1' },
      { ...LEASE, key: 'items/2' },
    ];
    expect(wrong('claimNext', ok(many))).toBe('accepted');
    expect(wrong('claimNext', ok([]))).toBe('accepted');
  });

  it('hands the answer through as it is, private fields too', () => {
    const answer = ok({ ...LEASE, private: new Map() });
    const store = validating(fakeStore({ claim: () => answer }), () => {});
    expect(store.work?.claim?.('a', BY)).toBe(answer);
  });

  it('checks promised answers, and lets rejections pass', async () => {
    const failure = new Error('no connection');
    const work = { claim: () => Promise.resolve('yes'), complete: () => Promise.reject(failure) };
    const store = validating(fakeStore(work), () => {});
    await expect(store.work?.claim?.('a', BY)).rejects.toThrow(ShapeError);
    await expect(store.work?.complete?.(LEASE, { ...BY, result: 1 })).rejects.toBe(failure);
  });

  it('checks nowMs and counters', () => {
    const store = validating(
      fakeStore({}, { nowMs: () => '5', counters: () => ({ claims: '3' }) }),
      () => {},
    );
    expect(() => store.nowMs()).toThrow('nowMs() must answer a number of milliseconds, got "5" (string)');
    expect(() => store.counters?.()).toThrow('counters() `claims` must be a number, got "3" (string)');
  });

  it('calls the methods on their own object', () => {
    class Work {
      readonly #answer = ok(LEASE);
      claim() {
        return this.#answer;
      }
    }
    const store = validating(fakeStore({}, { work: new Work() }), () => {});
    expect(store.work?.claim?.('a', BY)).toEqual(ok(LEASE));
    expect(store.work?.complete).toBeUndefined();
  });
});

describe('methodsOf', () => {
  it('lists what the store has', () => {
    expect(methodsOf(fakeStore({ nack: undefined, scan: undefined }))).toEqual([
      'enqueue',
      'claim',
      'claimNext',
      'heartbeat',
      'complete',
      'release',
      'forceRelease',
    ]);
    expect(methodsOf(fakeStore({}, { work: undefined }))).toEqual([]);
  });

  it.each<[unknown, string]>([
    [fakeStore({ claim: 'yes' }), '`work.claim` must be a method, or left out, got "yes" (string)'],
    [fakeStore({}, { work: 5 }), '`work` must be an object of methods, got 5 (number)'],
    [fakeStore({}, { nowMs: undefined }), '`nowMs` must be a method, got nothing'],
    ['store', 'must answer a store object, got "store" (string)'],
  ])('refuses what is no store', (store, message) => {
    expect(() => methodsOf(store as never)).toThrow(message);
  });
});
