/** What a checker collects while it runs: counts, and the rows of the earliest accusations. Sentences are made later, for few. */
import type { ScanRow } from '../history/history.ts';
import { MAX_VIOLATIONS } from './finding.ts';
import type { GuaranteeId } from './guarantee.ts';

/** One step of a chain: `later` cannot have happened before `earliest`, because of `earlier`. */
export interface Link {
  readonly kind:
    | 'lease' // the lease that `earlier` set or renewed had to end first
    | 'order' // `earlier` was accepted under the older generation, so it came first
    | 'ended' // `earlier` may have ended the older lease before its time, and cannot have acted before
    | 'granted' // `later` is a call under the generation that `earlier` granted
    | 'renewed' // `later` had to come while the lease that `earlier` set was standing (S11, a latest instant)
    | 'stands'; // the lease that `earlier` set was standing until `instant` at least (S21)
  readonly earlier: number;
  readonly later: number;
  /** ns. For `renewed`: the latest instant of `later`. */
  readonly instant: number;
  /** `lease`, `renewed`: when `earlier` acted, at the earliest (`renewed`: at the latest). */
  readonly from?: number;
  /** `ended`: the row that set the lease which the call ended, and the one that it had to follow. */
  readonly beside?: readonly number[];
}

/** An accusation in rows; `toViolation` turns it into words. */
export interface Draft {
  readonly guarantee: GuaranteeId;
  readonly item: number;
  /** Plans: the task, or what else of the item is accused, as the second count names it. */
  readonly subject?: string;
  /** The row of the operation that breaks the rule. */
  readonly accused: number;
  /** Rows of the witness, the accused one among them. */
  readonly rows: readonly number[];
  readonly links: readonly Link[];
  /** What the final scan showed, where the accusation rests on it. `absent`: the complete scan lacks the item. */
  readonly read?: ScanRow | 'absent';
  /** S14: the grant that came too early because of the accused release. */
  readonly consequence?: number;
  /** Words for accusations that a table of sentences cannot know (the counting guarantees). */
  readonly statement?: string;
  readonly because?: readonly string[];
  readonly assumed?: readonly string[];
  /** What an operation of the witness showed, by row, where that is a part of its whole answer. */
  readonly details?: ReadonlyMap<number, string>;
  readonly at: number;
}

/** Counts of one guarantee, and its earliest accusations. */
export interface Tally {
  readonly guarantee: GuaranteeId;
  opportunities: number;
  broken: number;
  drafts: Draft[];
  readonly limit: number;
  notTested: string | undefined;
}

/** An empty tally. */
export function tally(guarantee: GuaranteeId, limit = MAX_VIOLATIONS): Tally {
  return { guarantee, opportunities: 0, broken: 0, drafts: [], limit, notTested: undefined };
}

/** Counts an accusation, and keeps it when it is among the earliest. `make` runs only for one that is kept. */
export function accuse(into: Tally, at: number, make: () => Draft): void {
  into.broken += 1;
  const { drafts, limit } = into;
  if (drafts.length >= limit && at >= drafts[drafts.length - 1]!.at) return;
  let place = drafts.length;
  while (place > 0 && drafts[place - 1]!.at > at) place -= 1;
  drafts.splice(place, 0, make());
  if (drafts.length > limit) drafts.pop();
}
