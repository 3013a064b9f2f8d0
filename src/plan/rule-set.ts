/**
 * The rules of all verbs as one object, so that a plan can be made with one of them replaced: a plan that is broken on purpose is
 * the same loop around one wrong rule. Pure.
 */
import { claimNext, claimTask } from './rules-claim.ts';
import { markDone, markFailed } from './rules-close.ts';
import { setTaskSchedule } from './rules-schedule.ts';
import { addTasks, cancelTask, setPlan } from './rules-tasks.ts';

/** What each verb decides by. */
export interface PlanRules {
  readonly setPlan: typeof setPlan;
  readonly addTasks: typeof addTasks;
  readonly cancelTask: typeof cancelTask;
  readonly setTaskSchedule: typeof setTaskSchedule;
  readonly claimNext: typeof claimNext;
  readonly claimTask: typeof claimTask;
  readonly markDone: typeof markDone;
  readonly markFailed: typeof markFailed;
}

/** The rules of every plan of ours. */
export const planRules: PlanRules = {
  setPlan,
  addTasks,
  cancelTask,
  setTaskSchedule,
  claimNext,
  claimTask,
  markDone,
  markFailed,
};
