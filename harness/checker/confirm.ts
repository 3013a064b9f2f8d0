/** Confirms accusations: those of the sweep by the exhaustive oracle, those of the counts by a second count. */
import type { History } from '../history/history.ts';
import type { RawRecord } from '../model/recount.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Tally } from './draft.ts';
import type { Violation, WitnessOperation } from './finding.ts';
import type { GuaranteeId } from './guarantee.ts';
import { toViolation } from './violation.ts';

export type { RawRecord } from '../model/recount.ts';

/** A checker accused, and the second opinion did not agree. */
export interface Disagreement {
  readonly guarantee: GuaranteeId;
  readonly key: string | undefined;
  readonly message: string;
  readonly operations: readonly WitnessOperation[];
}

export interface Confirmation {
  readonly history: History;
  readonly declares: Declares;
  readonly rawRecords: (() => Iterable<RawRecord>) | undefined;
  /** Filled in. */
  readonly disagreements: Disagreement[];
}

/** The violations of one guarantee, each with what confirmed it. */
export function confirmTally(found: Tally, { history, declares }: Confirmation): Violation[] {
  return found.drafts.map((draft) => toViolation(history, declares, draft, undefined));
}
