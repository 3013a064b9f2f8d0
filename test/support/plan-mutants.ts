/** Plans that break one rule each, on purpose: the same loop around one wrong rule. */

import type { PlanRule } from '../../harness/checker/plan-versions.ts';
import { rules as closeLooksAtNothing } from '../../scenarios/mutants/m61-close-looks-at-nothing.ts';
import { rules as reclaimNotCounted } from '../../scenarios/mutants/m62-reclaim-not-counted.ts';
import { rules as closedTakenAgain } from '../../scenarios/mutants/m63-closed-taken-again.ts';
import { rules as newTasksFirst } from '../../scenarios/mutants/m64-new-tasks-first.ts';
import { rules as renewedForEver } from '../../scenarios/mutants/m65-renewed-for-ever.ts';
import { rules as scheduleWithoutEvent } from '../../scenarios/mutants/m66-schedule-without-event.ts';
import { seeing, tasks, writing } from '../../scenarios/mutants/plan-module.ts';
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';

export interface PlanMutant {
  readonly name: string;
  /** The rule that must be found broken. */
  readonly breaks: PlanRule;
  readonly rules: Partial<PlanRules>;
}

export const PLAN_MUTANTS: readonly PlanMutant[] = [
  {
    name: 'a close looks at nothing: a second result replaces the first',
    breaks: 'one accepted result',
    rules: closeLooksAtNothing,
  },
  {
    name: 'a reclaim is not counted',
    breaks: 'attempts exact',
    rules: reclaimNotCounted,
  },
  {
    name: 'attempts have no limit',
    breaks: 'attempts bounded',
    rules: {
      claimNext: (limits, claimer) =>
        planRules.claimNext({ ...limits, maxAttempts: Number.MAX_SAFE_INTEGER }, claimer),
      markFailed: (limits, index, error, by) =>
        planRules.markFailed({ ...limits, maxAttempts: Number.MAX_SAFE_INTEGER }, index, error, by),
    },
  },
  {
    name: 'a task is failed for good by its first failure',
    breaks: 'attempts bounded',
    rules: {
      markFailed: (limits, index, error, by) =>
        planRules.markFailed({ ...limits, maxAttempts: 1 }, index, error, by),
    },
  },
  {
    name: 'a claim of a given task takes a closed one too',
    breaks: 'closed stays closed',
    rules: closedTakenAgain,
  },
  {
    name: 'new tasks go to the front',
    breaks: 'indices stable',
    rules: newTasksFirst,
  },
  {
    name: 'a cancelled task is taken off the list',
    breaks: 'indices stable',
    rules: {
      cancelTask: (limits, index, text, reason) =>
        writing(planRules.cancelTask(limits, index, text, reason), (next) => ({
          ...next,
          tasks: next.tasks.toSpliced(index, 1),
        })),
    },
  },
  {
    name: 'a claim is renewed as often as its holder likes',
    breaks: 'renewed once',
    rules: renewedForEver,
  },
  {
    name: 'a judge keeps to its own lease, not to the one that was recorded',
    breaks: 'lease exclusive',
    rules: {
      claimNext: (limits, claimer) =>
        seeing(
          planRules.claimNext({ ...limits, leaseMs: 1 }, claimer),
          tasks((task) => ({ ...task, leaseEndsAtMs: null })),
        ),
    },
  },
  {
    name: 'only the newest event of a schedule is kept',
    breaks: 'schedule audited',
    rules: {
      setTaskSchedule: (index, text, schedule) =>
        writing(planRules.setTaskSchedule(index, text, schedule), (next) => ({
          ...next,
          scheduleEvents: next.scheduleEvents.slice(-1),
        })),
    },
  },
  {
    name: 'a schedule is changed without an event',
    breaks: 'schedule audited',
    rules: scheduleWithoutEvent,
  },
  {
    name: 'an event says something else than what was set',
    breaks: 'schedule audited',
    rules: {
      setTaskSchedule: (index, text, schedule) =>
        writing(
          planRules.setTaskSchedule(index, text, schedule),
          tasks((task, i) => (i === index ? { ...task, dueAtMs: (task.dueAtMs ?? 0) + 1 } : task)),
        ),
    },
  },
];
