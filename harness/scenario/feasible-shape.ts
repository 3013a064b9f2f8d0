/** Feasibility, first part: settings that contradict each other, the store or the purpose. Pure. */
import type { Concern, FeasibilityInput } from './concern.ts';
import { followersFit } from './feasible-board.ts';
import { forLeases, type Rule } from './feasible-rule.ts';
import {
  heartbeatInLease,
  leaseInRun,
  leaseInStore,
  mainBounds,
  noFaults,
  oneWorker,
  processLocal,
  untouched,
} from './feasible-run.ts';
import {
  attempts,
  drawable,
  finalCalls,
  finalScan,
  pauseBounds,
  pauseOutlastsLease,
  taskPercentiles,
  zombiesTalk,
} from './feasible-workload.ts';

const RULES: readonly Rule[] = [
  oneWorker,
  processLocal,
  noFaults,
  untouched,
  mainBounds,
  forLeases(leaseInRun),
  forLeases(heartbeatInLease),
  forLeases(leaseInStore),
  taskPercentiles,
  drawable,
  pauseBounds,
  forLeases(pauseOutlastsLease),
  forLeases(zombiesTalk),
  forLeases(attempts),
  forLeases(finalCalls),
  forLeases(finalScan),
  followersFit,
];

/** Every broken rule, in the order of the list. */
export function shapeConcerns(input: FeasibilityInput): Concern[] {
  return RULES.map((rule) => rule(input)).filter((concern) => concern !== undefined);
}
