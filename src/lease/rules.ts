/**
 * The lease rules as one object, so that a store can be made with one of them replaced. That is how the broken stores of
 * `scenarios/mutants` come about: the same code around one wrong rule. Pure.
 */
import type { Decision } from './change.ts';
import { type ClaimCall, decideClaim } from './claim.ts';
import { type Fence, fenceLive, fenceStanding, type LeaseClaim } from './fence.ts';
import { decideComplete, decideForceRelease, decideHeartbeat, decideNack, decideRelease } from './holder.ts';
import type { ItemRow } from './row.ts';

/** One rule for each call. Each sees the row under the write lock and the instant read after the lock was had. */
export interface LeaseRules {
  claim(row: ItemRow, call: ClaimCall, nowMs: number): Decision;
  heartbeat(
    row: ItemRow,
    call: { readonly lease: LeaseClaim; readonly extendMs: number | undefined },
    nowMs: number,
  ): Decision;
  complete(
    row: ItemRow,
    call: { readonly lease: LeaseClaim; readonly result: string; readonly request: string },
    nowMs: number,
  ): Decision;
  nack(row: ItemRow, call: { readonly lease: LeaseClaim; readonly error: string }, nowMs: number): Decision;
  release(row: ItemRow, call: { readonly lease: LeaseClaim }, nowMs: number): Decision;
  forceRelease(row: ItemRow, call: { readonly by: string }, nowMs: number): Decision;
}

/** Rules around a fence. `live` guards heartbeat, complete and nack; `standing` guards release. */
export function createLeaseRules(fences: { readonly live: Fence; readonly standing: Fence }): LeaseRules {
  const { live, standing } = fences;
  return {
    claim: decideClaim,
    heartbeat: (row, call, nowMs) => decideHeartbeat(live, row, call, nowMs),
    complete: (row, call, nowMs) => decideComplete(live, row, call, nowMs),
    nack: (row, call, nowMs) => decideNack(live, row, call, nowMs),
    release: (row, call, nowMs) => decideRelease(standing, row, call, nowMs),
    forceRelease: decideForceRelease,
  };
}

/** The rules of every store of ours. */
export const leaseRules: LeaseRules = createLeaseRules({ live: fenceLive, standing: fenceStanding });
