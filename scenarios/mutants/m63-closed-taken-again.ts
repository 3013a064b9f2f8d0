/** M63: a claim of a given task takes a closed one too. */
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import { planModule, seeing, tasks } from './plan-module.ts';

export const rules: Partial<PlanRules> = {
  claimTask: (limits, claimer, index, text, options) =>
    seeing(
      planRules.claimTask(limits, claimer, index, text, options),
      tasks((task) =>
        task.status === 'cancelled' || task.status === 'done' ? { ...task, status: 'todo' } : task,
      ),
    ),
};

const mutant = planModule(rules);

export const { declares, prepare, destroy, createPlan } = mutant;
export default mutant.default;
