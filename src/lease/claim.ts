/** Who may have an item: the rule of `claim`, which `claimNext` applies to every candidate. Pure. */
import type { Change, Decision, Granted, WorkEventKind } from './change.ts';
import * as refuse from './refusals.ts';
import { type ItemRow, isLive, isUsedUp } from './row.ts';

/** What a claim asks for. */
export interface ClaimCall {
  readonly owner: string;
  readonly leaseMs: number;
  readonly reacquire?: boolean;
}

const GRANT_EVENT = {
  fresh: 'claimed',
  reclaimed: 'reclaimed',
  reacquired: 'reacquired',
} as const satisfies Record<Granted['grant'], WorkEventKind>;

/**
 * Grants a free item under a new generation (spec/board.md B4). A live lease is refused as `held`, to its own owner too
 * unless it asks to reacquire. An item without attempts left dies here, whichever road brought it to its limit.
 */
export function decideClaim(row: ItemRow, call: ClaimCall, nowMs: number): Decision {
  if (row.state === 'done') return { refusal: refuse.completed(row) };
  if (row.state === 'dead') return { refusal: refuse.dead(row) };
  if (isLive(row, nowMs)) {
    if (call.reacquire !== true || row.owner !== call.owner) return { refusal: refuse.held(row, nowMs) };
    if (isUsedUp(row)) return { refusal: refuse.heldAtLimit(row, nowMs) };
    return { change: grant(row, call, nowMs, 'reacquired') };
  }
  if (isUsedUp(row)) return { refusal: refuse.dead(row), change: die(row, row.error) };
  if (row.state === 'leased') return { change: grant(row, call, nowMs, 'reclaimed') };
  if (nowMs < row.eligibleAtMs) return { refusal: refuse.notYet(row, nowMs) };
  return { change: grant(row, call, nowMs, 'fresh') };
}

/** The item's attempts are used up. The same change and the same event by every road. */
export function die(row: ItemRow, error: string | null): Extract<Change, { kind: 'died' }> {
  return {
    kind: 'died',
    error,
    events: [{ kind: 'dead', author: row.owner ?? '', generation: row.generation }],
  };
}

function grant(row: ItemRow, call: ClaimCall, nowMs: number, kind: Granted['grant']): Granted {
  const generation = row.generation + 1;
  return {
    kind: 'granted',
    generation,
    owner: call.owner,
    attempts: row.attempts + 1,
    acquiredAtMs: nowMs,
    expiresAtMs: nowMs + call.leaseMs,
    leaseMs: call.leaseMs,
    grant: kind,
    events: [{ kind: GRANT_EVENT[kind], author: call.owner, generation }],
  };
}
