/** What the entry facet refuses before anything is written: board 60 and the kinds of "no" of spec/0-conventions.md. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Lease, Write } from '../../../src/store.ts';
import { append, commitEach, del, everything, set } from '../../support/entries.ts';
import { createWorld, ENGINES, type Handle, type World } from '../../support/world.ts';

const cycle: { self?: unknown } = {};
cycle.self = cycle;
const lease: Lease = { key: 'k', owner: 'w1', token: '1', leaseMs: 10 };
/** What a caller without types can pass. */
const odd = (value: unknown) => value as never;

const WRITES: [title: string, write: Write, names: RegExp][] = [
  ['a cycle', set('k', odd(cycle)), /writes\[1\]\.value/],
  ['a BigInt', set('k', odd(1n)), /value/],
  ['NaN', append('k', Number.NaN), /value/],
  ['an infinity, deep inside', set('k', { a: [Number.POSITIVE_INFINITY] }), /value\.a\[0\]/],
  [
    'a function',
    set(
      'k',
      odd(() => 1),
    ),
    /value/,
  ],
  ['undefined', set('k', odd(undefined)), /value/],
  ['undefined in an array', append('k', [odd(undefined)]), /value\[0\]/],
  ['a date', set('k', odd(new Date(0))), /value/],
  ['no value', { key: 'k', op: 'set', author: 'w1', request: 'r' }, /value/],
  ['a value with a delete', { ...del('k'), value: 1 }, /value/],
  ['an empty key', set('', 1), /key/],
  ['half a surrogate pair in a key', set('\ud800', 1), /key/],
  ['a key of 1025 characters', set('k'.repeat(1025), 1), /key/],
  ['a key that is no string', set(odd(7), 1), /key/],
  ['no author', set('k', 1, { author: '' }), /author/],
  ['an author with a slash', set('k', 1, { author: 'a/b' }), /author/],
  ['an author with a star', set('k', 1, { author: '*' }), /author/],
  ['no request', set('k', 1, { request: '' }), /request/],
  ['an unknown op', odd({ ...set('k', 1), op: 'put' }), /op/],
  ['an unknown keep', set('k', 1, { keep: odd('some') }), /keep/],
  ['a negative version', set('k', 1, { ifVersion: -1 }), /ifVersion/],
  ['half a version', set('k', 1, { ifVersion: 0.5 }), /ifVersion/],
  ['NaN as a version', set('k', 1, { ifVersion: Number.NaN }), /ifVersion/],
  ['null as a version', set('k', 1, { ifVersion: odd(null) }), /ifVersion/],
  ['a version on an append', append('k', 1, { ifVersion: 0 }), /ifVersion/],
  ['keep latest on an append', append('k', 1, { keep: 'latest' }), /keep/],
  ['a generation that is a number', set('k', 1, { generation: odd(1) }), /generation/],
  ['a negative generation', set('k', 1, { generation: -1n }), /generation/],
  ['a generation that no number carries', set('k', 1, { generation: 2n ** 53n }), /generation/],
  ['a generation beside a fence', set('k', 1, { generation: 1n, fence: lease }), /generation/],
  ['a fence without a token', set('k', 1, { fence: odd({ ...lease, token: undefined }) }), /token/],
  ['null as a fence', set('k', 1, { fence: odd(null) }), /lease/],
  ['null as a write', odd(null), /writes\[1\]/],
];

describe.each(ENGINES)('invalid on %s', (engine) => {
  let world: World;
  let a: Handle;

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    await commitEach(a, set('k', 'first'));
  });
  afterEach(() => world.end());

  const invalid = (call: () => unknown, names: RegExp) =>
    expect(call).toThrow(
      expect.objectContaining({
        code: 'INVALID_ARGUMENT',
        definite: true,
        message: expect.stringMatching(names),
      }),
    );

  it.each(WRITES)(
    'board 60: %s is refused and nothing of the commit stored',
    async (_title, write, names) => {
      const before = await everything(a);
      invalid(() => a.entries.commit([append('k', 'good'), write]), names);
      expect(await everything(a)).toEqual(before);
      expect(await a.counters()).toMatchObject({ refusals: 0 });
    },
  );

  it('writes and require must be lists of the right form', () => {
    invalid(() => a.entries.commit(odd('k')), /writes/);
    invalid(() => a.entries.commit([], odd(null)), /options/);
    invalid(() => a.entries.commit([], { require: odd({}) }), /require/);
    invalid(() => a.entries.commit([], { require: [odd(null)] }), /require\[0\]/);
    invalid(() => a.entries.commit([], { require: [{ key: '', version: 0 }] }), /require\[0\]\.key/);
    invalid(() => a.entries.commit([], { require: [{ key: 'k', version: -1 }] }), /require\[0\]\.version/);
  });

  it('reads must be of the right form', () => {
    invalid(() => a.entries.get(''), /key/);
    invalid(() => a.entries.history('', { limit: 1 }), /key/);
    invalid(() => a.entries.history('k', odd(undefined)), /page/);
    invalid(() => a.entries.list(odd(undefined), { limit: 1 }), /prefix/);
    invalid(() => a.entries.list('', odd(undefined)), /page/);
    invalid(() => a.entries.list('', { limit: 1, after: odd(1) }), /after/);
    for (const limit of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, odd('1')]) {
      invalid(() => a.entries.history('k', { limit }), /limit/);
      invalid(() => a.entries.list('', { limit }), /limit/);
    }
    for (const before of [-1, 0.5, Number.NaN, odd('1')]) {
      invalid(() => a.entries.history('k', { limit: 1, before }), /before/);
    }
  });

  it('the feed takes integers from 0 on', () => {
    for (const number of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, odd('1'), odd(null), odd(1n)]) {
      invalid(() => a.feed.since(number, 1), /cursor/);
      invalid(() => a.feed.since(0, number), /limit/);
      invalid(() => a.feed.trim(number), /beforeId/);
    }
  });
});
