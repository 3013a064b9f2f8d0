/** How the checkers of plans accuse. Pure. */
import type { History } from '../history/history.ts';
import { accuse, type Tally } from './draft.ts';
import { subjectOf } from './plan-words.ts';

export const PLAN_GUARANTEES = ['P1', 'P2', 'P3', 'P4', 'P5', 'P6', 'P7', 'P8'] as const;
export type PlanGuarantee = (typeof PLAN_GUARANTEES)[number];

export type PlanTallies = Readonly<Record<PlanGuarantee, Tally>>;

export interface PlanAccusation {
  readonly guarantee: PlanGuarantee;
  /** Index into `keys`. */
  readonly plan: number;
  readonly epoch: number | undefined;
  readonly task: number | undefined;
  /** The row of what broke the rule. */
  readonly accused: number;
  /** Rows that contradict it. */
  readonly others?: readonly number[];
  readonly statement: string;
  readonly because: readonly string[];
}

export function accusePlan(history: History, found: PlanTallies, accusation: PlanAccusation): void {
  const { guarantee, plan, epoch, task, accused, others = [], statement, because } = accusation;
  const rows = [...new Set([...others, accused])];
  const { inv, ret } = history.ops;
  // A call without an answer is told by its invoke.
  const at = Math.max(...rows.map((row) => (Number.isFinite(ret[row]!) ? ret[row]! : inv[row]!)));
  accuse(found[guarantee], at, () => ({
    guarantee,
    item: plan,
    subject: subjectOf(epoch, task),
    accused,
    rows,
    links: [],
    at,
    statement,
    because,
  }));
}
