/** The refusals of a plan: what was expected, what was found (spec/plan.md A5). Pure. */
import { isComplete, type PlanDocument, type PlanTask } from './document.ts';
import type { PlanRefusal, PlanRefusalCode } from './types.ts';

/** Every refusal text begins so (spec/plan.md A2). */
const REJECTED = 'REJECTED: ';

export function refusal(
  code: PlanRefusalCode,
  message: string,
  more: Omit<PlanRefusal, 'code' | 'message'> = {},
): PlanRefusal {
  return { code, message: REJECTED + message, ...more };
}

export const noPlan = (): PlanRefusal =>
  refusal('no-plan', 'Expected a plan, found no plan yet. Make one with setPlan.');

export const inProgress = (rendered: string): PlanRefusal =>
  refusal(
    'in-progress',
    `Expected no plan in progress, found one with open tasks. Go on with it, or replace it.\n${rendered}`,
    { plan: rendered },
  );

export const unknownTask = (index: number, { tasks }: PlanDocument): PlanRefusal =>
  refusal(
    'unknown-task',
    `Expected the index of a task, 0 to ${tasks.length - 1}, found ${index}. Read the plan again.`,
  );

export const textDiffers = (index: number): PlanRefusal =>
  refusal(
    'text-differs',
    `Expected task ${index} to have the given text, found another one. Read the plan again.`,
  );

export const closed = (index: number, { status }: PlanTask): PlanRefusal =>
  refusal('closed', `Expected task ${index} to be open, found it ${status}.`);

export const notClaimed = (index: number, { status }: PlanTask): PlanRefusal =>
  refusal('not-claimed', `Expected task ${index} to be claimed, found it not claimed but ${status}.`);

export const notYours = (index: number): PlanRefusal =>
  refusal('not-yours', `Expected task ${index} to be claimed by you, found it claimed by another worker.`);

export const ownerMissing = (index: number): PlanRefusal =>
  refusal('owner-missing', `Expected the owner of the claim of task ${index}, got none. Pass the claim.`);

export const staleClaim = (index: number, expected: number, found: number): PlanRefusal =>
  refusal(
    'stale',
    `Expected task ${index} to be claimed under generation ${expected}, found generation ${found}. It was handed out again: drop the result.`,
  );

export const stalePlan = (expected: number, found: number): PlanRefusal =>
  refusal(
    'stale',
    `Expected epoch ${expected} of the plan, found epoch ${found}. The plan was replaced: drop the result.`,
  );

export const held = (index: number, untilMs: number | null): PlanRefusal =>
  refusal(
    'held',
    `Expected task ${index} to be free, found it claimed and the claim alive.`,
    untilMs === null ? {} : { heldUntilMs: untilMs },
  );

export const exhausted = (index: number, { attempts }: PlanTask): PlanRefusal =>
  refusal(
    'exhausted',
    `Expected task ${index} to have attempts left, found all used up after ${attempts}. It is parked as failed.`,
    { parked: [index] },
  );

export const notCancellable = (index: number, { status }: PlanTask): PlanRefusal =>
  refusal('not-cancellable', `Expected task ${index} to be todo or failed, found it ${status}.`);

/** claimNext found nothing, and why (spec/plan.md A7.9). */
export function nothingToClaim(plan: PlanDocument, parked: readonly number[]): PlanRefusal {
  if (parked.length > 0) {
    const rest = isComplete(plan) ? 'plan complete' : 'no free task';
    return refusal(
      'parked',
      `Expected a task with attempts left, found ${rest} after parking ${parked.join(', ')} as failed.`,
      { parked },
    );
  }
  if (isComplete(plan)) return refusal('complete', 'Expected an open task, found none: plan complete.');
  return refusal('no-free-task', 'Expected a free task, found no free task: what is open is claimed.');
}
