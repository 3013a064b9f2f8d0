/**
 * Whether a scenario can produce the evidence that `valid` needs (spec/checking.md 3.8), told before anything starts. Pure.
 *
 * Refused is only what certainly cannot work: every estimate here is on the bright side. What will probably not work is a
 * warning, and the obligations have the last word.
 */
import type { Concern, FeasibilityInput } from './concern.ts';
import { placeOfConcern, type ScenarioSource } from './concern-place.ts';
import { countConcerns } from './feasible-counts.ts';
import { shapeConcerns } from './feasible-shape.ts';
import { UsageError, type UsageProblem } from './usage-error.ts';

export type { Concern, FeasibilityInput };

/** Refusals end the run before it starts; warnings are shown. */
export interface Feasibility {
  readonly refusals: readonly Concern[];
  readonly warnings: readonly Concern[];
}

/** Everything that stands in the way, most fundamental first. */
export function feasibility(input: FeasibilityInput): Feasibility {
  const shape = shapeConcerns(input);
  // Counts of a scenario that is refused anyway would only repeat the reason in other words.
  const counts = shape.some((concern) => concern.level === 'refusal') ? [] : countConcerns(input);
  const all = [...shape, ...counts];
  return {
    refusals: all.filter((concern) => concern.level === 'refusal'),
    warnings: all.filter((concern) => concern.level === 'warning'),
  };
}

/**
 * Does nothing when there is no refusal.
 * @throws {@link UsageError} `SCENARIO_NOT_FEASIBLE` with every refusal, and where the scenario says what it speaks of.
 */
export function assertFeasible(found: Feasibility, source?: ScenarioSource): void {
  const [first, ...rest] = found.refusals.map(
    (concern): UsageProblem => ({
      code: 'SCENARIO_NOT_FEASIBLE',
      message: `${concern.what} ${concern.why}`,
      hint: concern.fix,
      place: source && placeOfConcern(concern, source),
    }),
  );
  if (first !== undefined) throw new UsageError([first, ...rest]);
}
