/** The memory store: the readable reference that the other stores are compared with. Lives and ends with its process. */
import { type Clock, systemClock } from '../../clock.ts';
import type { EntryBackend, FeedBackend } from '../../entries/backend.ts';
import { entryCountersOf } from '../../entries/counters.ts';
import { createEntryStore, type EntryOptions } from '../../entries/entries.ts';
import { createFeed } from '../../entries/feed.ts';
import { FencepostError } from '../../errors.ts';
import type { WorkBackend } from '../../lease/backend.ts';
import { countersOf } from '../../lease/counters.ts';
import { compareKeys } from '../../lease/order.ts';
import { createWorkStore, type WorkOptions } from '../../lease/work.ts';
import type { EntryStore, Feed, Store, WorkStore } from '../../store.ts';
import { createMemoryData, type MemoryData } from './data.ts';
import * as entries from './entries.ts';
import { transact } from './transaction.ts';

/** Options of `createMemoryStore`. */
export interface MemoryStoreOptions extends WorkOptions, EntryOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Content to share with other handles. @default a new, empty one */
  readonly data?: MemoryData;
}

/** A store with every method of every facet. */
export interface MemoryStore extends Store {
  readonly work: Required<WorkStore>;
  readonly entries: EntryStore;
  readonly feed: Required<Feed>;
  readonly counters: NonNullable<Store['counters']>;
  /** What the handles on this store share. */
  readonly data: MemoryData;
}

/**
 * Makes a handle on a memory store. Every call answers at once.
 *
 * @throws FencepostError from its methods: `INVALID_ARGUMENT`, `STORE_CLOSED`
 */
export function createMemoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const data = options.data ?? createMemoryData();
  const now = anchoredNow(options.clock ?? systemClock, data);
  let closed = false;

  function whileOpen<T>(body: () => T): T {
    if (!closed) return body();
    throw new FencepostError('STORE_CLOSED', 'Expected an open store, found it closed.', { definite: true });
  }

  const backend: WorkBackend & EntryBackend & FeedBackend = {
    write: (_patience, body) => whileOpen(() => transact(data, (tx) => body(tx, now()))),
    page: (after, limit) =>
      whileOpen(() => {
        const rows = [...data.rows.values()].sort((a, b) => compareKeys(a.key, b.key));
        const rest = after === undefined ? rows : rows.filter((row) => compareKeys(row.key, after) > 0);
        return rest.slice(0, limit);
      }),
    newest: (key) => whileOpen(() => entries.newest(data, key)),
    versions: (key, before, limit) => whileOpen(() => entries.versions(data, key, before, limit)),
    live: (prefix, after, limit) => whileOpen(() => entries.live(data, prefix, after, limit)),
    eventsAfter: (cursor, limit) => whileOpen(() => entries.eventsAfter(data, cursor, limit)),
    trim: (beforeId) => whileOpen(() => entries.trim(data, beforeId)),
    tally: () => whileOpen(() => ({ events: new Map(data.eventCounts), refusals: new Map(data.refusals) })),
  };

  return {
    data,
    nowMs: () => whileOpen(now),
    work: createWorkStore(backend, options),
    entries: createEntryStore(backend, options),
    feed: createFeed(backend),
    async counters() {
      const tally = await backend.tally();
      return { ...countersOf(tally), ...entryCountersOf(tally) };
    },
    close() {
      closed = true;
    },
  };
}

/** Wall time at the start, monotonic from then on, in whole ms, and the same for every handle. Steps decide nothing. */
function anchoredNow(clock: Clock, data: MemoryData): () => number {
  data.clockOffsetMs ??= Math.floor(clock.wallMs()) - Math.floor(clock.monotonicMs());
  const offset = data.clockOffsetMs;
  return () => Math.floor(clock.monotonicMs()) + offset;
}
