/** Making a plan, adding to it, giving up a task (spec/plan.md A4, A5.12, A5.13, A5.16). Pure. */
import { isOpen, newTask, type PlanDocument, withTask } from './document.ts';
import { inProgress, noPlan, notCancellable } from './refusals.ts';
import { renderPlan } from './render.ts';
import { accept, findTask, type Limits, type Rule, refuse } from './rules.ts';

/** A complete plan is replaced, one in progress only when asked to. The epoch rises, so closes of the old one are refused. */
export function setPlan(
  limits: Limits,
  reasoning: string,
  texts: readonly string[],
  replace: boolean,
): Rule<PlanDocument> {
  return (plan, nowMs) => {
    if (plan?.tasks.some(isOpen) && !replace) return refuse(inProgress(renderPlan(plan, nowMs, limits)));
    const next: PlanDocument = {
      version: 1,
      planId: limits.planId,
      epoch: (plan?.epoch ?? 0) + 1,
      reasoning: reasoning.trim(),
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      tasks: texts.map(newTask),
      scheduleEvents: [],
    };
    return accept(next, next);
  };
}

/** At the end only: no index moves. A complete plan goes on. */
export function addTasks(texts: readonly string[]): Rule<PlanDocument> {
  return (plan, nowMs) => {
    if (plan === undefined) return refuse(noPlan());
    const next = { ...plan, tasks: [...plan.tasks, ...texts.map(newTask)], updatedAtMs: nowMs };
    return accept(next, next);
  };
}

/** A claimed task is its holder's, even if the claim lapsed. The error of a failed one stays. */
export function cancelTask(
  { label }: Limits,
  index: number,
  expectedText: string,
  reason: string,
): Rule<PlanDocument> {
  return (stored, nowMs) => {
    const found = findTask(stored, index, expectedText);
    if (found.refusal !== undefined) return refuse(found.refusal);
    const { plan, task } = found;
    if (task.status !== 'todo' && task.status !== 'failed') return refuse(notCancellable(index, task));
    const cancelled = {
      ...task,
      status: 'cancelled',
      cancelReason: reason,
      completedAtMs: nowMs,
      closedBy: label,
    } as const;
    const next = { ...withTask(plan, index, cancelled), updatedAtMs: nowMs };
    return accept(next, next);
  };
}
