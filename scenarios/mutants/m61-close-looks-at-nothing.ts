/** M61: a close looks at nothing. A second result replaces the first, whoever it comes from. */
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import { planModule, seeing, tasks } from './plan-module.ts';

export const rules: Partial<PlanRules> = {
  markDone: (limits, index, summary) =>
    seeing(
      planRules.markDone(limits, index, summary, {}),
      tasks((task, i) => (i === index ? { ...task, status: 'claimed' } : task)),
    ),
};

const mutant = planModule(rules);

export const { declares, prepare, destroy, createPlan } = mutant;
export default mutant.default;
