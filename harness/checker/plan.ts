/**
 * P1 to P8: durable plans. `plan-verbs.ts` compares the answers to verbs with one another; `plan-final.ts` compares the versions of
 * each plan with one another and with those answers. Each starts with its conditions.
 *
 * Unknown outcomes may have happened or not: a verb without an answer is accused of nothing that it did, and excuses whatever it may
 * have done.
 */
import type { History } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { type Tally, tally } from './draft.ts';
import { PLAN_GUARANTEES, type PlanTallies } from './plan-accuse.ts';
import { planFacts } from './plan-facts.ts';
import { judgeFinalPlans } from './plan-final.ts';
import { judgeVerbs } from './plan-verbs.ts';

export function checkPlans(history: History, declares: Declares, limit?: number): readonly Tally[] {
  const found = Object.fromEntries(
    PLAN_GUARANTEES.map((guarantee) => [guarantee, tally(guarantee, limit)]),
  ) as PlanTallies;
  if (history.planVerbs.length > 0) {
    const facts = planFacts(history);
    judgeVerbs(facts, declares, found);
    judgeFinalPlans(facts, found);
  }
  return Object.values(found);
}
