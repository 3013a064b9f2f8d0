/**
 * P1 to P8 over whole histories of the workload: a sound plan stays clean, whatever dies and whatever goes unanswered; a broken one is
 * accused by its guarantee; and the naive recount, which shares no code with the checkers, finds exactly the same.
 */
import { describe, expect, it } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { checkPlans } from '../../../harness/checker/plan.ts';
import type { PlanRule } from '../../../harness/checker/plan-versions.ts';
import { callsOf } from '../../../harness/model/raw-calls.ts';
import { brokenPlans } from '../../../harness/model/recount-plans.ts';
import { type PlanRules, planRules } from '../../../src/plan/rule-set.ts';
import type { PlanRefusal } from '../../../src/plan/types.ts';
import { PLAN_MUTANTS } from '../../support/plan-mutants.ts';
import { type PlanRun, planRun } from '../../support/plan-run.ts';

const GUARANTEE: Readonly<Record<PlanRule, string>> = {
  'one accepted result': 'P1',
  'attempts exact': 'P3',
  'attempts bounded': 'P3',
  'closed stays closed': 'P4',
  'indices stable': 'P5',
  'renewed once': 'P6',
  'lease exclusive': 'P7',
  'schedule audited': 'P8',
};

/** What the checkers accuse, named as the recount names it. */
const accused = ({ history, declares }: PlanRun): Set<string> =>
  new Set(
    checkPlans(history, declares, Number.POSITIVE_INFINITY).flatMap(({ drafts }) =>
      drafts.map(({ guarantee, item, subject }) => `${guarantee} ${history.keys[item]} ${subject}`),
    ),
  );

const counted = ({ raw, declares }: PlanRun): Set<string> =>
  brokenPlans(callsOf(raw, declares.embedded), declares);

const ofPlans = ({ history, declares, raw }: PlanRun) => {
  const judged = judgeHistory(history, declares, undefined, () => raw);
  return { ...judged, findings: judged.findings.filter(({ guarantee }) => guarantee.startsWith('P')) };
};

describe('a sound plan', () => {
  it.each([1, 2, 3])('is accused of nothing, and each guarantee was tried (seed %i)', async (seed) => {
    const run = await planRun({ seed });
    expect(run.history.problems).toEqual([]);
    expect(run.history.finalPlans?.complete).toBe(true);
    const { findings, disagreements, crashed } = ofPlans(run);
    expect([disagreements, crashed]).toEqual([[], []]);
    for (const { guarantee, opportunities, broken, notTested } of findings)
      expect({ guarantee, broken, notTested, tried: opportunities > 0 }).toEqual({
        guarantee,
        broken: 0,
        notTested: undefined,
        tried: true,
      });
    expect(counted(run)).toEqual(new Set());
  });
});

/** Other plans than ours that keep what a plan promises. */
const INNOCENTS: readonly (readonly [string, Partial<PlanRules>])[] = [
  [
    'never renews',
    { claimTask: (limits, claimer, i, text) => planRules.claimTask(limits, claimer, i, text, {}) },
  ],
  [
    'lets claims stand for longer',
    { claimNext: (limits, by) => planRules.claimNext({ ...limits, leaseMs: 70 }, by) },
  ],
  [
    'closes for those only that name their claim, whoever they are',
    { markDone: (limits, i, text, { owner: _, ...by }) => planRules.markDone(limits, i, text, by) },
  ],
  [
    'takes no task on request',
    { claimTask: () => () => ({ answer: { accepted: false, refusal: NOT_HERE } }) },
  ],
];
const NOT_HERE: PlanRefusal = { code: 'no-free-task', message: 'REJECTED' };

describe('an odd plan', () => {
  it.each(INNOCENTS)('that %s is accused of nothing', async (_, rules) => {
    const run = await planRun({ seed: 5, rules, sleeps: 350 });
    const { findings, disagreements, crashed } = ofPlans(run);
    expect([disagreements, crashed]).toEqual([[], []]);
    expect(findings.flatMap(({ violations }) => violations)).toEqual([]);
    expect(counted(run)).toEqual(new Set());
  });
});

describe('a broken plan', () => {
  it.each(PLAN_MUTANTS)(
    '$name: accused, confirmed, and counted the same twice',
    async ({ breaks, rules }) => {
      const guarantee = GUARANTEE[breaks];
      const found = new Set<string>();
      for (let seed = 1; seed <= 6 && !found.has(guarantee); seed += 1) {
        const run = await planRun({ seed, rules, sleeps: 350 });
        const { findings, disagreements, crashed } = ofPlans(run);
        expect([disagreements, crashed]).toEqual([[], []]);
        expect(accused(run)).toEqual(counted(run));
        for (const { guarantee: id, violations } of findings) {
          for (const { confirmedBy, witness, because } of violations) {
            expect([id, confirmedBy, because.length > 0]).toEqual([id, 'recount', true]);
            expect([1, 2]).toContain(witness.length);
            expect(witness.filter((one) => one.accused)).toHaveLength(1);
          }
          if (violations.length > 0) found.add(id);
        }
      }
      expect([...found]).toContain(guarantee);
    },
  );
});
