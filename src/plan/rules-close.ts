/** Closing a claim with its result, or with what went wrong (spec/plan.md A4, A5.8-10). Pure. */
import { type PlanDocument, type PlanTask, withTask } from './document.ts';
import { isExhausted } from './eligible.ts';
import { notClaimed, notYours, ownerMissing, staleClaim, stalePlan } from './refusals.ts';
import { accept, findTask, type Limits, type Rule, refuse } from './rules.ts';
import type { Closer, PlanRefusal } from './types.ts';

/** Stores the result. Whether the lease is over does not matter as long as nobody took the task (A5.9). */
export function markDone(limits: Limits, index: number, summary: string, by: Closer): Rule<PlanDocument> {
  return close(limits, index, by, (task, nowMs) => ({
    ...closedTask(task, limits, by, nowMs),
    status: 'done',
    result: summary,
    error: null,
  }));
}

/** Hands the task back, or closes it as failed when this was its last attempt. */
export function markFailed(limits: Limits, index: number, error: string, by: Closer): Rule<PlanDocument> {
  return close(limits, index, by, (task, nowMs) => {
    if (isExhausted(task, limits)) return { ...closedTask(task, limits, by, nowMs), status: 'failed', error };
    return { ...letGo(task), status: 'todo', error };
  });
}

function close(
  limits: Limits,
  index: number,
  by: Closer,
  change: (task: PlanTask, nowMs: number) => PlanTask,
): Rule<PlanDocument> {
  return (stored, nowMs) => {
    // Before the index: in a plan that was replaced the caller's task may have none.
    const epoch = stored?.epoch ?? 0;
    if (stored !== undefined && by.epoch !== undefined && by.epoch !== epoch) {
      return refuse(stalePlan(by.epoch, epoch));
    }
    const found = findTask(stored, index);
    if (found.refusal !== undefined) return refuse(found.refusal);
    const { plan, task } = found;
    const refusal = checkHolder(limits, index, task, by);
    if (refusal !== undefined) return refuse(refusal);
    const next = { ...withTask(plan, index, change(task, nowMs)), updatedAtMs: nowMs };
    return accept(next, next);
  };
}

/** Not claimed comes first: after the successor has closed, that is what a stale holder is told (A5.10). */
function checkHolder(limits: Limits, index: number, task: PlanTask, by: Closer): PlanRefusal | undefined {
  if (task.status !== 'claimed') return notClaimed(index, task);
  const { owner, generation } = by;
  if (owner !== undefined && owner !== task.owner) return notYours(index);
  const found = task.generation ?? 0;
  if (generation !== undefined && generation !== found) return staleClaim(index, generation, found);
  if (limits.strict && owner === undefined && task.anonymous !== true) return ownerMissing(index);
  return undefined;
}

function closedTask(task: PlanTask, { label }: Limits, { owner }: Closer, nowMs: number): PlanTask {
  return { ...letGo(task), completedAtMs: nowMs, closedBy: owner ?? label };
}

/** The generation stays: the next claim counts on from it. */
function letGo(task: PlanTask): PlanTask {
  return { ...task, owner: null, claimedAtMs: null, leaseEndsAtMs: null };
}
