/** Plans that break one rule each, on purpose: the same loop around one wrong rule. */

import type { PlanRule } from '../../harness/checker/plan-versions.ts';
import type { PlanDocument, PlanTask } from '../../src/plan/document.ts';
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import type { Rule } from '../../src/plan/rules.ts';

export interface PlanMutant {
  readonly name: string;
  /** The rule that must be found broken. */
  readonly breaks: PlanRule;
  readonly rules: Partial<PlanRules>;
}

/** A rule that sees another plan than the stored one. */
const seeing =
  <T>(rule: Rule<T>, see: (plan: PlanDocument) => PlanDocument): Rule<T> =>
  (plan, nowMs) =>
    rule(plan === undefined ? undefined : see(plan), nowMs);

/** A rule that writes something else than it decided. */
const writing =
  <T>(
    rule: Rule<T>,
    write: (next: PlanDocument, before: PlanDocument | undefined) => PlanDocument,
  ): Rule<T> =>
  (plan, nowMs) => {
    const decision = rule(plan, nowMs);
    return decision.next === undefined ? decision : { ...decision, next: write(decision.next, plan) };
  };

const tasks =
  (change: (task: PlanTask, index: number) => PlanTask) =>
  (plan: PlanDocument): PlanDocument => ({
    ...plan,
    tasks: plan.tasks.map(change),
  });

export const PLAN_MUTANTS: readonly PlanMutant[] = [
  {
    name: 'a close looks at nothing: a second result replaces the first',
    breaks: 'one accepted result',
    rules: {
      markDone: (limits, index, summary) =>
        seeing(
          planRules.markDone(limits, index, summary, {}),
          tasks((task, i) => (i === index ? { ...task, status: 'claimed' } : task)),
        ),
    },
  },
  {
    name: 'a reclaim is not counted',
    breaks: 'attempts exact',
    rules: {
      claimNext: (limits, claimer) =>
        writing(planRules.claimNext(limits, claimer), (next, before) => ({
          ...next,
          tasks: next.tasks.map((task, i) =>
            before?.tasks[i]?.status === 'claimed' && task.status === 'claimed'
              ? { ...task, attempts: before.tasks[i].attempts }
              : task,
          ),
        })),
    },
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
    rules: {
      claimTask: (limits, claimer, index, text, options) =>
        seeing(
          planRules.claimTask(limits, claimer, index, text, options),
          tasks((task) =>
            task.status === 'cancelled' || task.status === 'done' ? { ...task, status: 'todo' } : task,
          ),
        ),
    },
  },
  {
    name: 'new tasks go to the front',
    breaks: 'indices stable',
    rules: {
      addTasks: (texts) =>
        writing(planRules.addTasks(texts), ({ tasks: all, ...next }) => ({
          ...next,
          tasks: [...all.slice(-texts.length), ...all.slice(0, -texts.length)],
        })),
    },
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
    rules: {
      claimTask: (limits, claimer, index, text, options) =>
        seeing(
          planRules.claimTask(limits, claimer, index, text, options),
          tasks((task) => ({ ...task, renewed: false })),
        ),
    },
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
    rules: {
      setTaskSchedule: (index, text, schedule) =>
        writing(planRules.setTaskSchedule(index, text, schedule), (next, before) => ({
          ...next,
          scheduleEvents: before?.scheduleEvents ?? [],
        })),
    },
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
