/** One item as every store of ours keeps it, and the questions the lease rules ask of it. Pure. */
import type { ItemState } from '../store.ts';

/**
 * An item with its lease. Rows are never deleted, so `generation` and `attempts` only rise. `null` stands for "none",
 * as SQLite answers it. All instants are on the store's clock, in ms.
 */
export interface ItemRow {
  /** Order of insertion; breaks ties between items that became eligible in the same millisecond. */
  readonly id: number;
  readonly key: string;
  readonly state: ItemState;
  /** The fencing token: 0 before the first grant, one more with every grant. Exact up to 2^53. */
  readonly generation: number;
  /** Claims granted so far. */
  readonly attempts: number;
  readonly maxAttempts: number | null;
  /** Instant from which the item may be claimed; orders `claimNext`. */
  readonly eligibleAtMs: number;
  /** Holder of the lease; on finished and dead items the last one. */
  readonly owner: string | null;
  readonly acquiredAtMs: number | null;
  readonly heartbeatAtMs: number | null;
  readonly expiresAtMs: number | null;
  /** Duration the lease was asked for; what a heartbeat extends by. */
  readonly leaseMs: number | null;
  /** JSON text. */
  readonly payload: string | null;
  /** JSON text. */
  readonly result: string | null;
  /** What the last accepted `nack` said. */
  readonly error: string | null;
  /** Request id of the enqueue. */
  readonly enqueuedBy: string | null;
  /** Request id of the accepted completion. */
  readonly completedBy: string | null;
}

/** What `enqueue`, or the first claim of an on-demand item, writes. */
export type NewRow = Pick<ItemRow, 'key' | 'payload' | 'maxAttempts' | 'eligibleAtMs' | 'enqueuedBy'>;

/** The row that an insertion makes: open, never granted. */
export function insertedRow(id: number, item: NewRow): ItemRow {
  return {
    id,
    key: item.key,
    state: 'open',
    generation: 0,
    attempts: 0,
    maxAttempts: item.maxAttempts,
    eligibleAtMs: item.eligibleAtMs,
    owner: null,
    acquiredAtMs: null,
    heartbeatAtMs: null,
    expiresAtMs: null,
    leaseMs: null,
    payload: item.payload,
    result: null,
    error: null,
    enqueuedBy: item.enqueuedBy,
    completedBy: null,
  };
}

/** Whether an unexpired lease stands on the item. At the instant of its end a lease is over (spec/board.md B5.1). */
export function isLive(row: ItemRow, nowMs: number): boolean {
  return row.state === 'leased' && row.expiresAtMs !== null && nowMs < row.expiresAtMs;
}

/** Whether the item has no claim left. */
export function isUsedUp(row: ItemRow): boolean {
  return row.maxAttempts !== null && row.attempts >= row.maxAttempts;
}
