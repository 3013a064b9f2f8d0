/** The schedule of a task, and its audit trail (spec/plan.md A5.15). Pure. */
import { isOpen, type PlanDocument, withTask } from './document.ts';
import { closed } from './refusals.ts';
import { accept, findTask, type Rule, refuse } from './rules.ts';
import type { ScheduleOptions } from './types.ts';

/** Sets both instants, what is left out to null, and appends one event in the same write. */
export function setTaskSchedule(
  index: number,
  expectedText: string,
  { plannedStartAtMs, dueAtMs, reason }: ScheduleOptions,
): Rule<PlanDocument> {
  return (stored, nowMs) => {
    const found = findTask(stored, index, expectedText);
    if (found.refusal !== undefined) return refuse(found.refusal);
    const { plan, task } = found;
    if (!isOpen(task)) return refuse(closed(index, task));
    const schedule = { plannedStartAtMs: plannedStartAtMs ?? null, dueAtMs: dueAtMs ?? null };
    const next: PlanDocument = {
      ...withTask(plan, index, { ...task, ...schedule }),
      scheduleEvents: [...plan.scheduleEvents, { index, ...schedule, reason, atMs: nowMs }],
      updatedAtMs: nowMs,
    };
    return accept(next, next);
  };
}
