/**
 * Many workers on one plan, all verbs at random, interleaved between the read and the swap of one another, their clocks running past
 * leases: every committed version is judged. And the plans that are broken on purpose are caught, each by the rule that it breaks.
 */
import { describe, expect, it } from 'vitest';
import {
  checkPlanVersions,
  PLAN_RULES,
  type PlanVersionsResult,
} from '../../../harness/checker/plan-versions.ts';
import { randomStream } from '../../../harness/random/random.ts';
import type { PlanDocument } from '../../../src/plan/document.ts';
import { newTask } from '../../../src/plan/document.ts';
import { createPlan } from '../../../src/plan/plan.ts';
import type { PlanRules } from '../../../src/plan/rule-set.ts';
import { readDocument } from '../../../src/plan/stored.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { type Acknowledged, chaoticStep, type PlanWorker } from '../../support/chaotic-plan.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { PLAN_MUTANTS } from '../../support/plan-mutants.ts';
import { hasty } from './plans.ts';

const WORKERS = 5;
const ROUNDS = 120;
const LEASE_MS = 50;
const MAX_ATTEMPTS = 3;
const KEY = 'blackboard:p';

interface Run extends PlanVersionsResult {
  readonly versions: readonly PlanDocument[];
  readonly acknowledged: readonly Acknowledged[];
  /** `verb code` by count. */
  readonly told: ReadonlyMap<string, number>;
}

/** One seeded run. The same seed gives the same run. */
async function run(seed: number, rules: Partial<PlanRules> = {}): Promise<Run> {
  const random = randomStream(seed, 'plan');
  const next = () => random.next();
  const clock = createFakeClock();
  const store = createMemoryStore({ clock });
  const acknowledged: Acknowledged[] = [];
  const told = new Map<string, number>();
  let made = 0;
  // Every version is kept, so that all of them can be judged.
  const keeping = {
    ...store,
    entries: {
      ...store.entries,
      get: async (key: string) => store.entries.get(key),
      commit: async (writes: Parameters<typeof store.entries.commit>[0]) => {
        // Others go first, now and then: that is what makes races.
        for (let turns = Math.floor(next() * 3); turns > 0; turns -= 1) await Promise.resolve();
        return store.entries.commit(writes.map(({ keep: _, ...write }) => write));
      },
    },
  };
  const hire = (seat: number): PlanWorker => ({
    plan: createPlan({
      store: keeping,
      planId: 'p',
      // Handles of unequal leases share the plan.
      leaseMs: LEASE_MS * (1 + (seat % 2)),
      maxAttempts: MAX_ATTEMPTS,
      clock: hasty(),
      random: next,
      rules,
    }),
    owner: `w${seat % 3}`,
    random: next,
    unique: () => `u${made++}`,
    acknowledged: (ack) => void acknowledged.push(ack),
    tell: (verb, code) => told.set(`${verb} ${code}`, (told.get(`${verb} ${code}`) ?? 0) + 1),
    hand: [],
  });
  const crew = Array.from({ length: WORKERS }, (_, seat) => hire(seat));
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all(crew.map(chaoticStep));
    clock.advance(Math.floor(next() * 40));
    // A killed worker forgets what it held, and its seat goes to another life of the same label.
    if (next() < 0.1) crew[round % WORKERS] = hire(round % WORKERS);
  }
  const history = await store.entries.history(KEY, { limit: 100_000 });
  const versions = history.map(({ value }) => readDocument(KEY, value)).reverse();
  return { versions, acknowledged, told, ...checkPlanVersions(versions, { maxAttempts: MAX_ATTEMPTS }) };
}

const SEEDS = Array.from({ length: 8 }, (_, seed) => seed);

describe('every version of a plan under chaos', () => {
  it('keeps every rule, no acknowledged result is lost, and it was really tried', async () => {
    const opportunities = Object.fromEntries(PLAN_RULES.map((rule) => [rule, 0])) as Record<string, number>;
    const told = new Map<string, number>();
    for (const seed of SEEDS) {
      const found = await run(seed);
      expect(found.findings).toEqual([]);
      for (const { epoch, index, result } of found.acknowledged) {
        const stored = found.versions.findLast((version) => version.epoch === epoch)?.tasks[index];
        expect([stored?.status, stored?.result]).toEqual(['done', result]);
      }
      for (const rule of PLAN_RULES)
        opportunities[rule] = (opportunities[rule] ?? 0) + found.opportunities[rule];
      for (const [what, count] of found.told) told.set(what, (told.get(what) ?? 0) + count);
    }
    for (const rule of PLAN_RULES) expect([rule, (opportunities[rule] ?? 0) > 20]).toEqual([rule, true]);
    for (const what of [
      'claimNext accepted',
      'renew accepted',
      'renew held',
      'markDone accepted',
      'markDone stale',
      'markDone not-claimed',
      'markDone not-yours',
      'markFailed accepted',
      'cancelTask accepted',
      'cancelTask not-cancellable',
      'setTaskSchedule accepted',
      'setTaskSchedule closed',
      'addTasks accepted',
      'setPlan accepted',
      'claimTask accepted',
      'claimTask closed',
    ]) {
      expect([what, (told.get(what) ?? 0) > 0]).toEqual([what, true]);
    }
  });

  it.each(PLAN_MUTANTS)('catches: $name', async ({ breaks, rules }) => {
    const broken = new Set<string>();
    for (const seed of SEEDS) {
      for (const { rule } of (await run(seed, rules)).findings) broken.add(rule);
      if (broken.has(breaks)) return;
    }
    expect([...broken]).toContain(breaks);
  });

  it('there is a mutant for each rule', () => {
    expect(new Set(PLAN_MUTANTS.map(({ breaks }) => breaks))).toEqual(new Set(PLAN_RULES));
  });
});

describe('two versions', () => {
  const plan = (change: Partial<PlanDocument> = {}): PlanDocument => ({
    version: 1,
    planId: 'p',
    epoch: 1,
    reasoning: 'r',
    createdAtMs: 0,
    updatedAtMs: 100,
    tasks: [newTask('a')],
    scheduleEvents: [],
    ...change,
  });
  const claimed = {
    ...newTask('a'),
    status: 'claimed',
    owner: 'w1',
    attempts: 1,
    generation: 1,
    claimedAtMs: 0,
    leaseEndsAtMs: 100,
    renewed: false,
  } as const;
  const broken = (before: PlanDocument, after: PlanDocument) =>
    checkPlanVersions([before, after], { maxAttempts: 3 }).findings.map(({ rule }) => rule);
  const again = { ...claimed, attempts: 2, generation: 2, owner: 'w2', claimedAtMs: 100, leaseEndsAtMs: 200 };

  it('at exactly its deadline a claim stands: a hand-out then is accused, one a moment later is not', () => {
    expect(broken(plan({ tasks: [claimed] }), plan({ tasks: [again] }))).toEqual(['lease exclusive']);
    expect(broken(plan({ tasks: [claimed] }), plan({ tasks: [again], updatedAtMs: 101 }))).toEqual([]);
  });

  it('a renewal at the deadline is fine, after it or twice it is not', () => {
    const renewed = { ...claimed, renewed: true, claimedAtMs: 100, leaseEndsAtMs: 200 };
    expect(broken(plan({ tasks: [claimed] }), plan({ tasks: [renewed] }))).toEqual([]);
    expect(broken(plan({ tasks: [claimed] }), plan({ tasks: [renewed], updatedAtMs: 101 }))).toEqual([
      'renewed once',
    ]);
    const twice = { ...renewed, leaseEndsAtMs: 300 };
    expect(broken(plan({ tasks: [renewed] }), plan({ tasks: [twice] }))).toEqual(['renewed once']);
  });

  it('a late close of a holder that nobody has replaced is innocent', () => {
    const done = { ...claimed, status: 'done', result: 'late', owner: null, completedAtMs: 999 } as const;
    expect(broken(plan({ tasks: [claimed] }), plan({ tasks: [done], updatedAtMs: 999 }))).toEqual([]);
  });

  it('a plan of another epoch is another plan', () => {
    const done = { ...claimed, status: 'done', result: 'x' } as const;
    expect(broken(plan({ tasks: [done, claimed] }), plan({ epoch: 2 }))).toEqual([]);
    expect(broken(plan({ tasks: [done, claimed] }), plan())).toEqual(['indices stable']);
  });

  it('nothing to judge gives nothing', () => {
    for (const versions of [[], [plan()]]) {
      const { findings, opportunities } = checkPlanVersions(versions, { maxAttempts: 3 });
      expect([findings, Object.values(opportunities).every((count) => count === 0)]).toEqual([[], true]);
    }
  });
});
