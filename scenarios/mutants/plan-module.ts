/** A store module that is sound, and brings plans around broken rules. And how a rule is broken: by what it sees, or by what it writes. */
import type { PlanDocument, PlanTask } from '../../src/plan/document.ts';
import { createPlan } from '../../src/plan/plan.ts';
import type { PlanRules } from '../../src/plan/rule-set.ts';
import type { Rule } from '../../src/plan/rules.ts';
import type { PlanOptions } from '../../src/plan/types.ts';
import { brokenModule } from './module.ts';

/** The SQLite store with plans of its own: the same loop around some wrong rules. */
export const planModule = (rules: Partial<PlanRules>) => ({
  ...brokenModule({}),
  createPlan: (options: PlanOptions) => createPlan({ ...options, rules }),
});

/** A rule that sees another plan than the stored one. */
export const seeing =
  <T>(rule: Rule<T>, see: (plan: PlanDocument) => PlanDocument): Rule<T> =>
  (plan, nowMs) =>
    rule(plan === undefined ? undefined : see(plan), nowMs);

/** A rule that writes something else than it decided. */
export const writing =
  <T>(
    rule: Rule<T>,
    write: (next: PlanDocument, before: PlanDocument | undefined) => PlanDocument,
  ): Rule<T> =>
  (plan, nowMs) => {
    const decision = rule(plan, nowMs);
    return decision.next === undefined ? decision : { ...decision, next: write(decision.next, plan) };
  };

/** A plan with every task changed. */
export const tasks =
  (change: (task: PlanTask, index: number) => PlanTask) =>
  (plan: PlanDocument): PlanDocument => ({ ...plan, tasks: plan.tasks.map(change) });
