/** What a lease rule decides: a refusal, a change, or (a death noticed on the way) both. Pure. */
import type { Refusal } from '../store.ts';
import type { ItemRow } from './row.ts';

/** Every kind of event that the work facet writes. A heartbeat writes none. */
export const WORK_EVENT_KINDS = [
  'enqueued',
  'claimed',
  'reclaimed',
  'reacquired',
  'completed',
  'nacked',
  'released',
  'force-released',
  'dead',
] as const;
export type WorkEventKind = (typeof WORK_EVENT_KINDS)[number];

/** An event before the store gives it its id and its instant. */
export interface WorkEvent {
  readonly kind: WorkEventKind;
  /**
   * The label that acted. For `dead` the holder whose attempt was the last, empty when it had handed the item back; for
   * `enqueued` empty: nobody is named.
   */
  readonly author: string;
  readonly generation: number;
}

/** One accepted transition of one row, with the events that go into the same transaction. */
export type Change =
  | {
      readonly kind: 'granted';
      readonly generation: number;
      readonly owner: string;
      readonly attempts: number;
      readonly acquiredAtMs: number;
      readonly expiresAtMs: number;
      readonly leaseMs: number;
      readonly grant: 'fresh' | 'reclaimed' | 'reacquired';
      readonly events: readonly WorkEvent[];
    }
  | {
      readonly kind: 'extended';
      readonly heartbeatAtMs: number;
      readonly expiresAtMs: number;
      readonly events: readonly WorkEvent[];
    }
  | {
      readonly kind: 'completed';
      /** JSON text. */
      readonly result: string;
      readonly completedBy: string;
      readonly events: readonly WorkEvent[];
    }
  | {
      readonly kind: 'opened';
      readonly eligibleAtMs: number;
      readonly error: string | null;
      readonly events: readonly WorkEvent[];
    }
  | { readonly kind: 'died'; readonly error: string | null; readonly events: readonly WorkEvent[] };

export type Granted = Extract<Change, { kind: 'granted' }>;

/** A refusal may carry a change: a claim that meets an item whose attempts are used up is refused and buries it. */
export type Decision =
  | { readonly refusal: Refusal; readonly change?: Change }
  | { readonly refusal?: undefined; readonly change: Change };

/** The row after a change. The SQLite store says the same in one UPDATE for each kind. */
export function applyChange(row: ItemRow, change: Change): ItemRow {
  switch (change.kind) {
    case 'granted': {
      const { generation, owner, attempts, acquiredAtMs, expiresAtMs, leaseMs } = change;
      const lease = { generation, owner, attempts, acquiredAtMs, expiresAtMs, leaseMs };
      return { ...row, state: 'leased', ...lease, heartbeatAtMs: null };
    }
    case 'extended':
      return { ...row, heartbeatAtMs: change.heartbeatAtMs, expiresAtMs: change.expiresAtMs };
    case 'completed':
      return {
        ...row,
        state: 'done',
        expiresAtMs: null,
        result: change.result,
        completedBy: change.completedBy,
      };
    case 'opened':
      return {
        ...row,
        state: 'open',
        owner: null,
        expiresAtMs: null,
        eligibleAtMs: change.eligibleAtMs,
        error: change.error,
      };
    case 'died':
      return { ...row, state: 'dead', expiresAtMs: null, error: change.error };
  }
}
