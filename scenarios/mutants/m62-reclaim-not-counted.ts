/** M62: a task that was abandoned is handed out again, and the attempt is not counted. It is never parked. */
import { withTask } from '../../src/plan/document.ts';
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import { planModule } from './plan-module.ts';

export const rules: Partial<PlanRules> = {
  claimNext: (limits, claimer) => (plan, nowMs) => {
    const { next, answer } = planRules.claimNext(limits, claimer)(plan, nowMs);
    if (plan === undefined || next === undefined || !answer.accepted)
      return { ...(next && { next }), answer };
    const { index } = answer.value;
    const attempts = plan.tasks[index]?.attempts ?? 0;
    if (plan.tasks[index]?.status !== 'claimed') return { next, answer };
    const task = { ...next.tasks[index]!, attempts };
    return { next: withTask(next, index, task), answer: { ...answer, value: { ...answer.value, attempts } } };
  },
};

const mutant = planModule(rules);

export const { declares, prepare, destroy, createPlan } = mutant;
export default mutant.default;
