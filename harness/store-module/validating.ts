/**
 * Wraps a store so that an answer of the wrong shape is told apart from an answer. The wrapper passes arguments and
 * answers through as they are, keeps synchronous answers synchronous, and has only the methods that the store has.
 */
import type { Awaitable, EntryStore, Feed, Store, WorkStore } from '../../src/store.ts';
import { type OperationName, WORK_OPERATIONS, type WorkOperation } from '../history/record.ts';
import { methodsOf } from './methods.ts';
import {
  checkCounters,
  checkInstant,
  checkLease,
  checkLeases,
  checkOutcome,
  checkRows,
  type Expected,
} from './shape.ts';
import { checkEntries, checkFeedPage, checkMaybeEntry } from './shape-board.ts';
import { ShapeError } from './shape-error.ts';

/** Told of each answer of the wrong shape, before the call throws. */
export type OnShape = (op: string, message: string) => void;

/**
 * The same store, whose calls throw a {@link ShapeError} where an answer breaks the contract's types. What the answers
 * mean is judged by the checkers; the wrapper looks at their form.
 */
export function validating(store: Store, onShape: OnShape, expected: Expected = {}): Store {
  const guard = <T>(answer: Awaitable<T>, check: (value: T) => void): Awaitable<T> => {
    const checked = (value: T): T => {
      try {
        check(value);
      } catch (error) {
        if (error instanceof ShapeError) onShape(error.op, error.message);
        throw error;
      }
      return value;
    };
    return isThenable(answer) ? answer.then(checked) : checked(answer);
  };
  const methods = new Set(methodsOf(store));
  const work = store.work === undefined ? undefined : wrapWork(store.work, methods, guard, expected);
  return {
    nowMs: () => guard(store.nowMs(), (value) => checkInstant({ op: 'nowMs' }, value)),
    close: () => store.close(),
    ...(work === undefined ? {} : { work }),
    ...(store.entries === undefined ? {} : { entries: wrapEntries(store.entries, guard) }),
    ...(store.feed === undefined ? {} : { feed: wrapFeed(store.feed, guard) }),
    ...(store.counters === undefined
      ? {}
      : { counters: () => guard(store.counters!(), (value) => checkCounters({ op: 'counters' }, value)) }),
  };
}

type Guard = <T>(answer: Awaitable<T>, check: (value: T) => void) => Awaitable<T>;

function wrapWork(
  work: WorkStore,
  methods: ReadonlySet<OperationName>,
  guard: Guard,
  expected: Expected,
): WorkStore {
  const plain = (op: WorkOperation) => (answer: unknown) => checkOutcome({ op }, answer);
  const all: Required<WorkStore> = {
    enqueue: (items, call) => guard(work.enqueue!(items, call), plain('enqueue')),
    claim: (key, by) => {
      const asked = { ...expected, op: 'claim' };
      return guard(work.claim!(key, by), (answer) =>
        checkOutcome(asked, answer, (value) => checkLease(asked, value)),
      );
    },
    claimNext: (prefix, by) => {
      const asked = { ...expected, op: 'claimNext' };
      return guard(work.claimNext!(prefix, by), (answer) =>
        checkOutcome(asked, answer, (value) => checkLeases(asked, value)),
      );
    },
    heartbeat: (lease, call) => {
      const asked = { ...expected, op: 'heartbeat', key: lease.key };
      return guard(work.heartbeat!(lease, call), (answer) =>
        checkOutcome(asked, answer, (value) => checkLease(asked, value)),
      );
    },
    complete: (lease, call) => guard(work.complete!(lease, call), plain('complete')),
    nack: (lease, call) => guard(work.nack!(lease, call), plain('nack')),
    release: (lease, call) => guard(work.release!(lease, call), plain('release')),
    forceRelease: (key, call) => guard(work.forceRelease!(key, call), plain('forceRelease')),
    scan: (page) => guard(work.scan!(page), (rows) => checkRows({ op: 'scan' }, rows)),
  };
  const present: WorkStore = Object.fromEntries(
    WORK_OPERATIONS.filter((name) => methods.has(name)).map((name) => [name, all[name]]),
  );
  return present;
}

function wrapEntries(entries: EntryStore, guard: Guard): EntryStore {
  return {
    get: (key) => guard(entries.get(key), (entry) => checkMaybeEntry({ op: 'get', key }, entry)),
    commit: (writes, options) => {
      const asked = { op: 'commit' };
      return guard(entries.commit(writes, options), (answer) =>
        checkOutcome(asked, answer, (value) => checkEntries(asked, value, 'value')),
      );
    },
    history: (key, page) =>
      guard(entries.history(key, page), (list) => checkEntries({ op: 'history', key }, list)),
    list: (prefix, page) => guard(entries.list(prefix, page), (list) => checkEntries({ op: 'list' }, list)),
  };
}

function wrapFeed(feed: Feed, guard: Guard): Feed {
  return {
    since: (cursor, limit) =>
      guard(feed.since(cursor, limit), (page) => checkFeedPage({ op: 'since' }, page)),
    ...(feed.trim === undefined ? {} : { trim: (beforeId) => feed.trim!(beforeId) }),
  };
}

function isThenable<T>(value: Awaitable<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
