/**
 * The rules of a plan as one object, so that a plan can be tried with one of them replaced. A rule sees the stored plan and the
 * store's clock, and answers what to write, if anything. Pure.
 */
import type { PlanDocument, PlanTask } from './document.ts';
import { noPlan, textDiffers, unknownTask } from './refusals.ts';
import type { PlanOutcome, PlanRefusal } from './types.ts';

/** What a handle decides with. */
export interface Limits {
  readonly planId: string;
  readonly leaseMs: number;
  readonly maxAttempts: number;
  readonly strict: boolean;
  /** For the record of who closed a task without naming an owner. */
  readonly label: string;
}

/** What a rule decides: a refusal writes nothing, except where it parked a task. */
export interface Decision<T> {
  /** The plan to store. Left out: nothing changes, `updatedAtMs` neither. */
  readonly next?: PlanDocument;
  readonly answer: PlanOutcome<T>;
}

/** Decides on the plan as it is stored at this moment; undefined: there is none. */
export type Rule<T> = (plan: PlanDocument | undefined, nowMs: number) => Decision<T>;

export const accept = <T>(next: PlanDocument, value: T): Decision<T> => ({
  next,
  answer: { accepted: true, value },
});

export const refuse = (refusal: PlanRefusal, next?: PlanDocument): Decision<never> => ({
  ...(next === undefined ? {} : { next }),
  answer: { accepted: false, refusal },
});

/** Guards in their order: the plan exists, the index is one, the text is the expected one (spec/plan.md A5.14). */
export function findTask(
  plan: PlanDocument | undefined,
  index: number,
  expectedText?: string,
):
  | { readonly refusal: PlanRefusal }
  | { readonly refusal?: undefined; readonly plan: PlanDocument; readonly task: PlanTask } {
  if (plan === undefined) return { refusal: noPlan() };
  const task = plan.tasks[index];
  if (task === undefined) return { refusal: unknownTask(index, plan) };
  if (expectedText !== undefined && task.text !== expectedText) return { refusal: textDiffers(index) };
  return { plan, task };
}
