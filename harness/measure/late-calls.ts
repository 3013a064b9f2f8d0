/** Holder calls that were certainly late when they were sent: after the end of their lease. Pure. */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { latestEnd } from './lease-bounds.ts';
import type { Share } from './share.ts';
import { isDefinite, isFinal, type Tenure, type Tenures } from './tenures.ts';

/**
 * Heartbeats, completions and nacks sent after the latest instant at which the lease can have ended, before anybody else can have
 * been granted the item; accepted ÷ answered. `release` after the end is judged by nobody and left out.
 */
export function lateCalls({ ops }: History, { all }: Tenures, declares: Declares): Share {
  let seen = 0;
  let of = 0;
  for (const tenure of all) {
    const handedBack = firstHandBack(tenure, ops);
    for (const row of tenure.calls) {
      if (ops.op[row] === OP.release || !isDefinite(ops, row) || ops.inv[row]! >= handedBack) continue;
      // Once somebody else may have it, a refusal says nothing about lateness.
      if (tenure.next !== undefined && ops.ret[row]! > ops.inv[tenure.next.grant]!) continue;
      // Setters that were sent before this call; the call itself does not excuse itself.
      if (ops.inv[row]! <= latestEnd(ops, tenure, declares, ops.inv[row]! - 1)) continue;
      of += 1;
      if (ops.outcome[row] === OUTCOME.accepted) seen += 1;
    }
  }
  return { seen, of };
}

/** From here on the lease may be gone by its holder's own hand. */
function firstHandBack(tenure: Tenure, ops: History['ops']): number {
  const row = tenure.calls.find(
    (call) =>
      isFinal(ops, call) && ops.outcome[call] !== OUTCOME.refused && ops.outcome[call] !== OUTCOME.fail,
  );
  // The call that hands it back is itself one that may be late.
  return row === undefined ? Number.POSITIVE_INFINITY : ops.inv[row]! + 1;
}
