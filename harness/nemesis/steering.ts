/**
 * Which kind of fault comes next, from the evidence that is still missing: a run that has seen enough kills and no twin should
 * send twins. Pure; the draw itself stays with the seed.
 *
 * The weights of the scenario hold while nothing is missing. Else the kinds that can give what is missing come more often, the
 * more of it is missing, and the others less, but never not at all: evidence of one kind alone would be of little worth. A kind
 * of weight 0 stays off.
 */
import type { Missing } from '../obligation/sources.ts';
import type { FaultName } from '../scenario/scenario.ts';

/** A kind that could give all that is missing comes this many times as often as the scenario says, measured against one that gives nothing. */
const MOST = 8;

/** Weights for the next draw. */
export function steer(
  weights: Readonly<Record<FaultName, number>>,
  missing: readonly Missing[],
): Readonly<Record<FaultName, number>> {
  const wanted = new Map<FaultName, number>();
  for (const { share, sources } of missing) {
    for (const source of sources) {
      if (weights[source] > 0) wanted.set(source, Math.max(wanted.get(source) ?? 0, share / sources.length));
    }
  }
  const most = Math.max(0, ...wanted.values());
  if (most === 0) return weights;
  const steered = Object.entries(weights).map(([name, weight]) => {
    const want = (wanted.get(name as FaultName) ?? 0) / most;
    return [name, weight * (1 + (MOST - 1) * want)];
  });
  return Object.fromEntries(steered) as Record<FaultName, number>;
}
