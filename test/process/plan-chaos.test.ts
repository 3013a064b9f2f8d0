/**
 * Many real workers on several plans, killed and paused, renewing, failing, cancelling, rescheduling. Every version of every plan is kept and
 * judged: the versions are the order in which things happened, so nothing has to be guessed. The run goes on until it was really tried.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkPlanVersions, PLAN_RULES } from '../../harness/checker/plan-versions.ts';
import type { Acknowledged } from '../../harness/workload/plan.ts';
import type { PlanDocument } from '../../src/plan/document.ts';
import { readDocument } from '../../src/plan/stored.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { type Child, endChildren, startChild } from '../support/run-child.ts';

const PLAN_IDS = ['one', 'two', 'three'];
const SEATS = 5;
const LEASE_MS = 150;
const MAX_ATTEMPTS = 3;
const ROUNDS_MIN = 10;
const ROUNDS_MAX = 150;

/** What must have been seen before "nothing was found" says something. */
const WANTED = [
  'claimNext accepted',
  'renew accepted',
  'renew held',
  'markDone accepted',
  'markDone stale',
  'markFailed accepted',
  'cancelTask accepted',
  'setTaskSchedule accepted',
  'addTasks accepted',
];

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-plan-'));
  file = join(folder, 'plan.db');
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

interface Line {
  readonly acknowledged?: Acknowledged;
  readonly told?: string;
}

it('plans under kills and pauses keep every rule in every version, and no acknowledged result is lost', async () => {
  const logs: string[] = [];
  const hire = async (seat: number): Promise<Child> => {
    const path = join(folder, `${logs.length}.log`);
    logs.push(path);
    const child = await startChild(new URL('./plan-child.mjs', import.meta.url));
    // Lives of one seat carry one label, and so do two of the seats.
    const label = `w${seat % (SEATS - 1)}`;
    const options = { file, planIds: PLAN_IDS, leaseMs: LEASE_MS, maxAttempts: MAX_ATTEMPTS };
    await child.ask({ job: 'chaos', ...options, label, path });
    return child;
  };
  const lines = (): Line[] =>
    logs
      .filter((path) => existsSync(path))
      // The last line may be cut off: it was acknowledged to nobody.
      .flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1))
      .map((line) => JSON.parse(line) as Line);
  const missing = () => {
    const told = new Set(lines().map((line) => line.told));
    return WANTED.filter((what) => !told.has(what));
  };

  const crew = await Promise.all(Array.from({ length: SEATS }, (_, seat) => hire(seat)));
  for (let round = 0; round < ROUNDS_MIN || (missing().length > 0 && round < ROUNDS_MAX); round += 1) {
    await sleep(50 + ((round * 37) % 100));
    const seat = round % SEATS;
    if (round % 2 === 0) {
      await crew[seat]?.kill();
      crew[seat] = await hire(seat);
    } else {
      const paused = crew[seat]?.process;
      paused?.kill('SIGSTOP');
      await sleep(2 * LEASE_MS);
      paused?.kill('SIGCONT');
    }
  }
  expect(missing()).toEqual([]);
  await endChildren();

  const plans = await everyVersion();
  const opportunities = new Map<string, number>();
  for (const [planId, versions] of plans) {
    const judged = checkPlanVersions(versions, { maxAttempts: MAX_ATTEMPTS });
    expect([planId, judged.findings]).toEqual([planId, []]);
    for (const rule of PLAN_RULES)
      opportunities.set(rule, (opportunities.get(rule) ?? 0) + judged.opportunities[rule]);
  }
  for (const rule of PLAN_RULES) expect([rule, (opportunities.get(rule) ?? 0) > 0]).toEqual([rule, true]);
  const acknowledged = lines().flatMap((line) =>
    line.acknowledged === undefined ? [] : [line.acknowledged],
  );
  expect(acknowledged.length).toBeGreaterThan(0);
  for (const ack of acknowledged) {
    const last = plans.get(ack.planId)?.findLast(({ epoch }) => epoch === ack.epoch)?.tasks[ack.index];
    expect([ack, last?.status, last?.result]).toEqual([ack, 'done', ack.result]);
  }
}, 300_000);

/** The versions of each plan, oldest first. */
async function everyVersion(): Promise<ReadonlyMap<string, readonly PlanDocument[]>> {
  const store = await createSqliteStore({ file });
  try {
    const plans = new Map<string, readonly PlanDocument[]>();
    for (const planId of PLAN_IDS) {
      const key = `blackboard:${planId}`;
      const history = await store.entries.history(key, { limit: 1_000_000 });
      expect(history.map(({ version }) => version)).toEqual(history.map((_, i) => history.length - i));
      plans.set(planId, history.map(({ value }) => readDocument(key, value)).reverse());
    }
    return plans;
  } finally {
    await store.close();
  }
}
