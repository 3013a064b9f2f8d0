/** What the entry facet and the feed need of an engine. Memory and SQLite implement it; rules and procedure stand above. */
import type { Patience } from '../lease/backend.ts';
import type { ItemRow } from '../lease/row.ts';
import type { Awaitable, RefusalCode } from '../store.ts';
import type { EntryEventKind, EntryRow, Head } from './row.ts';

/** One engine under the entry facet. Reads take no write lock and hold nothing open. */
export interface EntryBackend {
  /**
   * Runs `body` in one write transaction: all of it or nothing. `nowMs` is read after the write lock was had. `body` is
   * synchronous and may run more than once.
   *
   * @throws FencepostError `STORE_BUSY` (definite), `STORE_CLOSED` (definite), `STORE_FAILED`
   */
  write<T>(patience: Patience, body: (tx: EntryTransaction, nowMs: number) => T): Awaitable<T>;
  /** The newest version of a key; undefined when it is absent or deleted. */
  newest(key: string): Awaitable<EntryRow | undefined>;
  /** Up to `limit` versions of a key below `before`, newest first. */
  versions(key: string, before: number, limit: number): Awaitable<readonly EntryRow[]>;
  /** Up to `limit` newest versions of keys under the prefix and behind `after`, in key order, without deleted keys. */
  live(prefix: string, after: string | undefined, limit: number): Awaitable<readonly EntryRow[]>;
}

/** A write transaction in progress. */
export interface EntryTransaction {
  /** The item whose lease a fence looks at. */
  find(key: string): ItemRow | undefined;
  head(key: string): Head | undefined;
  /** Writes a version and moves the head of its key to it. `latest` drops the versions before it. */
  put(row: EntryRow, keep: 'all' | 'latest'): void;
  entryEvent(kind: EntryEventKind, row: EntryRow): void;
  countRefusal(code: RefusalCode): void;
}

/** One engine under the feed. */
export interface FeedBackend {
  /** Events behind the cursor and how they lie, all of one instant. */
  eventsAfter(cursor: number, limit: number): Awaitable<FeedSlice>;
  /** Drops the events below `beforeId` and adds what they counted to the trimmed counters. */
  trim(beforeId: number): Awaitable<void>;
}

export interface FeedSlice {
  readonly events: readonly EventRow[];
  /** Undefined while no event is kept. */
  readonly oldestId: number | undefined;
  /** Of the first event behind the cursor; where there is none, the id that the next event of the store gets. */
  readonly nextId: number;
}

/** An event as it is kept. `null` stands for "none". */
export interface EventRow {
  readonly id: number;
  readonly atMs: number;
  readonly kind: string;
  readonly key: string;
  readonly author: string;
  readonly version: number | null;
  readonly generation: number | null;
}
