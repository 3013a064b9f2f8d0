/** M64: new tasks go to the front. Whoever holds a task by its index holds another one from then on. */
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import { planModule, writing } from './plan-module.ts';

export const rules: Partial<PlanRules> = {
  addTasks: (texts) =>
    writing(planRules.addTasks(texts), ({ tasks: all, ...next }) => ({
      ...next,
      tasks: [...all.slice(-texts.length), ...all.slice(0, -texts.length)],
    })),
};

const mutant = planModule(rules);

export const { declares, prepare, destroy, createPlan } = mutant;
export default mutant.default;
