/** M65: a claim is renewed as often as its holder likes. A worker that hangs keeps its task for ever. */
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import { planModule, seeing, tasks } from './plan-module.ts';

export const rules: Partial<PlanRules> = {
  claimTask: (limits, claimer, index, text, options) =>
    seeing(
      planRules.claimTask(limits, claimer, index, text, options),
      tasks((task) => ({ ...task, renewed: false })),
    ),
};

const mutant = planModule(rules);

export const { declares, prepare, destroy, createPlan } = mutant;
export default mutant.default;
