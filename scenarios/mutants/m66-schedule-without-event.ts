/** M66: a schedule is changed, and no event says so. */
import { type PlanRules, planRules } from '../../src/plan/rule-set.ts';
import { planModule, writing } from './plan-module.ts';

export const rules: Partial<PlanRules> = {
  setTaskSchedule: (index, text, schedule) =>
    writing(planRules.setTaskSchedule(index, text, schedule), (next, before) => ({
      ...next,
      scheduleEvents: before?.scheduleEvents ?? [],
    })),
};

const mutant = planModule(rules);

export const { declares, prepare, destroy, createPlan } = mutant;
export default mutant.default;
