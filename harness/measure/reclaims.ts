/** Which grants took over an item whose former lease had run out. Pure. */
import { FLAG, type History, OP, type Operations, OUTCOME } from '../history/history.ts';
import { latestEnd, settersOf } from './lease-bounds.ts';
import { isFinal, type Tenure, type Tenures } from './tenures.ts';
import { touches, type Window } from './window.ts';

/** A grant after a lapse, and the grant before it. */
export interface Reclaim {
  readonly lapsed: Tenure;
  readonly by: Tenure;
}

/**
 * All reclaims. Nothing may have handed the item back: no accepted final call, no operator, no re-acquiring owner. Where a final
 * call is of unknown outcome, the store's own word (`kind: reclaimed`) decides.
 */
export function reclaimsOf({ ops }: History, tenures: Tenures): Reclaim[] {
  const reclaims: Reclaim[] = [];
  for (const lapsed of tenures.all) {
    const by = lapsed.next;
    if (!by || (ops.flags[by.grant]! & FLAG.reacquire) !== 0) continue;
    const ended = howItEnded(ops, lapsed, tenures.others.get(lapsed.item) ?? []);
    const saysSo = (ops.flags[by.grant]! & FLAG.saidReclaimed) !== 0;
    if (ended === 'lapsed' || (ended === 'unknown' && saysSo)) reclaims.push({ lapsed, by });
  }
  return reclaims;
}

function howItEnded(
  ops: Operations,
  tenure: Tenure,
  others: readonly number[],
): 'lapsed' | 'handed back' | 'unknown' {
  let ended: 'lapsed' | 'unknown' = 'lapsed';
  for (const row of tenure.calls) {
    if (!isFinal(ops, row)) continue;
    if (ops.outcome[row] === OUTCOME.accepted) return 'handed back';
    if (ops.outcome[row] === OUTCOME.info) ended = 'unknown';
  }
  for (const row of others) {
    const isForced = ops.op[row] === OP.forceRelease && ops.outcome[row] !== OUTCOME.refused;
    if (isForced && ops.outcome[row] !== OUTCOME.fail && ops.ret[row]! > ops.inv[tenure.grant]!)
      ended = 'unknown';
  }
  return ended;
}

/** No widening: these are measurements, not accusations. */
const EXACT = { clockDrift: 0, clockStepMs: 0, grainMs: 0 };

/**
 * Milliseconds from the end of the lapsed lease to the answer of the next grant; 0 when that answer came in the short time in
 * which the lease may have ended. Undefined where the end is not known: the call that set it has no answer, or its process
 * stood still meanwhile.
 */
export function reclaimDelayMs(
  ops: Operations,
  { lapsed, by }: Reclaim,
  stopped: readonly Window[],
): number | undefined {
  for (const row of settersOf(ops, lapsed)) {
    if (ops.outcome[row] === OUTCOME.info) return undefined;
    if (touches(stopped, ops.inv[row]!, ops.ret[row]!)) return undefined;
  }
  const end = latestEnd(ops, lapsed, EXACT);
  const delay = (ops.ret[by.grant]! - end) / 1e6;
  return Number.isFinite(delay) ? Math.max(0, delay) : undefined;
}
