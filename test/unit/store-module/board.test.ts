/** Entries and the feed at the door: which methods there are, their shapes, the probe, and what each workload demands. */
import { describe, expect, it } from 'vitest';
import type { WorkloadKind } from '../../../harness/scenario/kind.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';
import { methodsOf } from '../../../harness/store-module/methods.ts';
import { probe } from '../../../harness/store-module/probe.ts';
import { ShapeError } from '../../../harness/store-module/shape-error.ts';
import { validating } from '../../../harness/store-module/validating.ts';
import type { EntryStore, Feed, Store } from '../../../src/store.ts';
import { fakeBoard, fakeStore } from './fake-store.ts';

type Board = Parameters<typeof fakeBoard>;
const boardOnly = (...board: Board): Store => fakeStore({}, { work: undefined, ...fakeBoard(...board) });
const problems = async (store: Store, workload: WorkloadKind): Promise<string[]> => {
  const report = await probe(store, DEFAULT_DECLARES, { workload, callLimitMs: 60 });
  for (const { what, why, fix } of report.problems)
    for (const text of [what, why, fix]) expect(text).toMatch(/^\S.{10,}[.?]$/s);
  return report.problems.map(({ what }) => what);
};

const ENTRY = { key: 'a', version: 1, value: 1, author: 'w1', createdAtMs: 5 };
const EVENT = { id: 1, atMs: 5, kind: 'set', key: 'a', author: 'w1' };

describe('methods', () => {
  it('are those of every facet that the store has', () => {
    expect(methodsOf(boardOnly())).toEqual(['commit', 'get', 'list', 'history', 'since', 'trim']);
    expect(methodsOf(fakeStore())).not.toContain('commit');
  });

  it.each<[string, object, string]>([
    ['entries that are none', { entries: 5 }, '`entries` must be an object of methods'],
    ['a missing read', { entries: { commit: () => {} } }, '`entries.get` must be a method'],
    ['a feed without since', { feed: {} }, '`feed.since` must be a method'],
  ])('name %s', (_, facets, message) => {
    expect(() => methodsOf(fakeStore({}, facets))).toThrow(message);
  });
});

describe('validating', () => {
  const wrong = (call: (store: Required<Store>) => unknown, ...board: Board): string => {
    const told: string[] = [];
    const store = validating(boardOnly(...board), (_, message) => told.push(message)) as Required<Store>;
    try {
      call(store);
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      expect(told).toEqual([error.message]);
      return error.message;
    }
    return 'accepted';
  };
  const commit = (answer: unknown): string =>
    wrong(({ entries }) => entries.commit([]), { commit: () => answer });
  const get = (answer: unknown): string => wrong(({ entries }) => entries.get('a'), { get: () => answer });
  const since = (answer: unknown): string =>
    wrong(({ feed }) => feed.since(0, 5), {}, { since: () => answer });

  it('lets right answers through as they are', () => {
    expect(commit({ accepted: true, value: [ENTRY] })).toBe('accepted');
    expect(commit({ accepted: false, refusal: { code: 'conflict', message: 'is 2', current: 2 } })).toBe(
      'accepted',
    );
    expect(get(undefined)).toBe('accepted');
    expect(get(ENTRY)).toBe('accepted');
    expect(since({ events: [EVENT], cursor: 1 })).toBe('accepted');
    expect(since({ events: [], cursor: 7, oldestId: 8, gap: true })).toBe('accepted');
  });

  it.each<[string, string, string]>([
    ['no outcome', commit([ENTRY]), 'commit() must answer { accepted, value | refusal }'],
    ['no list', commit({ accepted: true, value: ENTRY }), 'commit() `value` must be a list of entries'],
    [
      'a version of 0',
      commit({ accepted: true, value: [{ ...ENTRY, version: 0 }] }),
      '`value[0].version` must be a whole number from 1',
    ],
    ['null for nothing', get(null), 'get() must answer an entry'],
    ['another key', get({ ...ENTRY, key: 'b' }), '`key` must be the key that was asked for, "a"'],
    ['no value', get({ ...ENTRY, value: undefined }), '`value` must be what JSON can carry'],
    ['a list of events', since([EVENT]), 'since() must answer a page'],
    [
      'an id as text',
      since({ events: [{ ...EVENT, id: '1' }], cursor: 1 }),
      '`events[0].id` must be a whole number',
    ],
    ['no cursor', since({ events: [] }), 'since() `cursor` must be a whole number'],
    ['a gap that is false', since({ events: [], cursor: 0, gap: false }), '`gap` must be true, or left out'],
  ])('names %s', (_, message, expected) => {
    expect(message).toContain(expected);
  });

  it('passes history and trim through', () => {
    const trimmed: number[] = [];
    const store = validating(boardOnly({}, { trim: (id: number) => trimmed.push(id) }), () => {});
    expect((store.entries as EntryStore).history('a', { limit: 1 })).toEqual([]);
    (store.feed as Required<Feed>).trim(4);
    expect(trimmed).toEqual([4]);
  });
});

describe('the probe', () => {
  it('passes a store with entries and no work, for the workloads of the board', async () => {
    for (const workload of ['register', 'log', 'feed'] as const)
      expect(await problems(boardOnly(), workload)).toEqual([]);
  });

  it('leaves a work facet alone that cannot lease, where nothing is leased', async () => {
    const half = fakeStore({ claim: undefined, claimNext: undefined }, fakeBoard());
    expect(await problems(half, 'log')).toEqual([]);
    expect(await problems(half, 'mixed')).toEqual(['The work facet has neither `claim` nor `claimNext`.']);
  });

  it.each<[string, Store, WorkloadKind, string]>([
    ['leases for work', boardOnly(), 'work', 'The store has no `work` facet.'],
    ['leases for mixed', boardOnly(), 'mixed', 'The store has no `work` facet.'],
    ['entries for register', fakeStore(), 'register', 'The store has no `entries` facet.'],
    ['entries for plan', fakeStore(), 'plan', 'The store has no `entries` facet.'],
    [
      'a feed for feed',
      fakeStore({}, { entries: fakeBoard().entries }),
      'feed',
      'The store has no `feed` facet.',
    ],
    [
      'a commit that is accepted',
      boardOnly({ commit: () => ({ accepted: false, refusal: { code: 'closed', message: 'no' } }) }),
      'log',
      'commit() refused the first write of `probe-entry`: closed, "no".',
    ],
    [
      'an entry for each write',
      boardOnly({ commit: () => ({ accepted: true, value: [] }) }),
      'log',
      'commit() answered 0 entries to one write.',
    ],
    ['its own writes', boardOnly({ get: () => undefined }), 'log', 'get() shows nothing under `probe-entry`'],
    ['an empty start', boardOnly({ list: () => [ENTRY] }), 'log', 'list() shows `a`'],
    [
      'an empty feed',
      boardOnly({}, { since: () => ({ events: [EVENT], cursor: 1 }) }),
      'feed',
      'since() shows `a`',
    ],
  ])('asks for %s', async (_, store, workload, what) => {
    expect((await problems(store, workload)).join('\n')).toContain(what);
  });
});
