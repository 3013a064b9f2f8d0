/** Holder calls that were certainly stale when they were sent. Pure. */
import { type History, OUTCOME } from '../history/history.ts';
import type { Share } from './share.ts';
import { isDefinite, type Tenures } from './tenures.ts';

/** Refused calls of this kind (a code of the `op` column), sent after a later grant of their item was certain. */
export function staleRefused({ ops }: History, tenures: Tenures, kind: number): number {
  let seen = 0;
  for (const tenure of tenures.all) {
    if (tenure.supersededAt === Number.POSITIVE_INFINITY) continue;
    for (const row of tenure.calls) {
      const isRefused = ops.op[row] === kind && ops.outcome[row] === OUTCOME.refused;
      if (isRefused && ops.inv[row]! > tenure.supersededAt) seen += 1;
    }
  }
  return seen;
}

/** All such calls that were answered, and those of them that were accepted. */
export function staleCalls({ ops }: History, tenures: Tenures): Share {
  let seen = 0;
  let of = 0;
  for (const tenure of tenures.all) {
    for (const row of tenure.calls) {
      if (!isDefinite(ops, row) || ops.inv[row]! <= tenure.supersededAt) continue;
      of += 1;
      if (ops.outcome[row] === OUTCOME.accepted) seen += 1;
    }
  }
  return { seen, of };
}
