/**
 * The fence: whether a lease that a caller hands in is the one that stands on the row, right now (spec/board.md B5.2).
 * Pure; runs inside the writing transaction, against the row as it is under the write lock.
 */
import type { Lease, Refusal } from '../store.ts';
import * as refuse from './refusals.ts';
import { type ItemRow, isLive } from './row.ts';

/** The part of a lease that the fence looks at. */
export type LeaseClaim = Pick<Lease, 'token' | 'owner'>;

/** Answers why the lease does not stand, or undefined when it does. */
export type Fence = (row: ItemRow, lease: LeaseClaim, nowMs: number) => Refusal | undefined;

/** The token of a generation: its decimal text. */
export function tokenOf(generation: number): string {
  return String(generation);
}

/**
 * The lease was granted last and nobody ended it, though it may have run out. The generation comes first: then
 * `completed` to a caller whose generation is current means that its own completion is what finished the item.
 */
export const fenceStanding: Fence = (row, lease) => {
  if (lease.token !== tokenOf(row.generation)) return refuse.stale(row, lease.token);
  switch (row.state) {
    case 'done':
      return refuse.completed(row);
    case 'dead':
      return refuse.dead(row);
    case 'open':
      return refuse.notHeld(row);
    case 'leased':
      return lease.owner === row.owner ? undefined : refuse.wrongOwner(row, lease.owner);
  }
};

/** The whole fence: standing, and not run out. */
export const fenceLive: Fence = (row, lease, nowMs) =>
  fenceStanding(row, lease, nowMs) ?? (isLive(row, nowMs) ? undefined : refuse.expired(row, nowMs));
