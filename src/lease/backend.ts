/** What the work facet needs of an engine. Memory and SQLite implement it; the rules and the procedure stand above. */
import type { Awaitable, RefusalCode } from '../store.ts';
import type { Change, WorkEvent } from './change.ts';
import type { ItemRow, NewRow } from './row.ts';

/** How long a call may wait for the write lock. Holder calls go before claims. */
export type Patience =
  | { readonly rank: 'claim' }
  /** Until the end of the lease, on the store's clock. */
  | { readonly rank: 'holder'; readonly untilMs: number | undefined; readonly leaseMs: number };

/** One engine under the work facet. */
export interface WorkBackend {
  /**
   * Runs `body` in one write transaction: all of it or nothing. `nowMs` is read after the write lock was had, and again
   * on each try. `body` is synchronous and may run more than once.
   *
   * @throws FencepostError `STORE_BUSY` (definite), `STORE_CLOSED` (definite), `STORE_FAILED`
   */
  write<T>(patience: Patience, body: (tx: WorkTransaction, nowMs: number) => T): Awaitable<T>;
  /** One page in key order, from one snapshot. */
  page(after: string | undefined, limit: number): Awaitable<readonly ItemRow[]>;
  /** What was counted since creation. */
  tally(): Awaitable<Tally>;
}

/** A write transaction in progress. */
export interface WorkTransaction {
  find(key: string): ItemRow | undefined;
  /** Up to `limit` rows under the prefix that `isEligible`, in the order of `compareEligible`. */
  eligible(prefix: string, nowMs: number, limit: number): readonly ItemRow[];
  insert(item: NewRow): ItemRow;
  apply(row: ItemRow, change: Change): void;
  event(key: string, event: WorkEvent, nowMs: number): void;
  countRefusal(code: RefusalCode): void;
}

/** Events by kind, of every facet and trimmed ones too, and refusals by code. */
export interface Tally {
  readonly events: ReadonlyMap<string, number>;
  readonly refusals: ReadonlyMap<RefusalCode, number>;
}
