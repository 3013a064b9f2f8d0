/** What a checker answers. A violation is data, never an exception. */
import type { GuaranteeId } from './guarantee.ts';

/** One guarantee's result: how often it could have been broken, how often it was, and the evidence. */
export interface Finding {
  readonly guarantee: GuaranteeId;
  readonly opportunities: number;
  readonly broken: number;
  /** At most `MAX_VIOLATIONS` of the broken ones, earliest first. */
  readonly violations: readonly Violation[];
  /** Why it was not judged at all; then the other fields are 0 and empty. */
  readonly notTested?: string;
}

export const MAX_VIOLATIONS = 20;

export interface Violation {
  readonly guarantee: GuaranteeId;
  readonly key: string | undefined;
  /** One sentence: item, generations, what happened, what the rule is. */
  readonly statement: string;
  /** Two to four operations that contradict the guarantee, in time order. */
  readonly witness: readonly WitnessOperation[];
  /** One "because" sentence a link. */
  readonly because: readonly string[];
  /** Declarations and clock bounds that the accusation rests on. */
  readonly assumed: readonly string[];
  /** Answer time of the last operation of the witness, ns. */
  readonly at: number;
  /** How it was confirmed: by the exhaustive oracle, or by a second count over the raw records. */
  readonly confirmedBy: 'oracle' | 'recount' | undefined;
}

/** One operation of a witness, in words and numbers. Times in ns. */
export interface WitnessOperation {
  readonly request: string;
  readonly label: string;
  readonly op: string;
  readonly generation: string | undefined;
  readonly inv: number;
  readonly ret: number;
  readonly outcome: 'accepted' | 'refused' | 'fail' | 'info';
  /** What the operation did, for the story: "generation 4, lease 150 ms". */
  readonly detail: string;
  /** The operation that breaks the rule. */
  readonly accused: boolean;
}
