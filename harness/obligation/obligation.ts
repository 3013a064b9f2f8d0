/** What must have been observed before `valid` may be said (spec/checking.md 3.8). Types of the answer. */

/** One part of an obligation: `O1`, or `O4.complete` where an obligation has several parts. */
export interface ObligationResult {
  readonly id: string;
  /** Short enough for a meter: "killed in lease". */
  readonly name: string;
  /** What counts, in one sentence. */
  readonly statement: string;
  readonly seen: number;
  readonly min: number;
  /** The minimum of a scenario that names none: a lower `min` was asked for by the scenario. */
  readonly defaultMin: number;
  readonly met: boolean;
  /** What to change when it stays unmet. */
  readonly advice: string;
  /** Set when the store cannot show it (a method it lacks, a guarantee it declines): not demanded, listed as not tested. */
  readonly notTested?: string;
}
