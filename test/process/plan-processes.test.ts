/** A plan under real processes and real kills: spec/plan.md checks 7, 11, 58. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlan } from '../../src/plan/plan.ts';
import type { DurablePlan, PlanSnapshot } from '../../src/plan/types.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { type Child, endChildren, startChild } from '../support/run-child.ts';

const LEAD_NS = 20_000_000n;

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

const start = (): Promise<Child> => startChild(new URL('./plan-child.mjs', import.meta.url));
const startAll = (count: number) => Promise.all(Array.from({ length: count }, start));

async function look<T>(body: (plan: DurablePlan) => Promise<T>): Promise<T> {
  const store = await createSqliteStore({ file });
  try {
    return await body(createPlan({ store, planId: 'p' }));
  } finally {
    await store.close();
  }
}

const make = (tasks: number) =>
  look(
    async (plan) =>
      void (await plan.setPlan(
        'r',
        Array.from({ length: tasks }, (_, i) => `task ${i}`),
      )),
  );

const snapshot = (): Promise<PlanSnapshot> =>
  look(async (plan) => {
    const found = await plan.snapshot();
    if (found === undefined) throw new Error('Expected a plan, found none.');
    return found;
  });

interface Noted {
  readonly index: number;
  readonly result?: string;
  readonly refused?: string;
}

/** What the workers noted of acknowledged closes. A line that a kill cut off was not acknowledged to anybody. */
function noted(paths: readonly string[]): Noted[] {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1))
    .map((line) => JSON.parse(line) as Noted);
}

/** Every task done, and every acknowledged result the one that is stored: one for each task. */
function expectNothingLost({ tasks, complete, open }: PlanSnapshot, paths: readonly string[]): void {
  expect([complete, open]).toEqual([true, []]);
  expect(tasks.filter(({ status }) => status !== 'done')).toEqual([]);
  const accepted = noted(paths).filter(({ result }) => result !== undefined);
  for (const { index, result } of accepted) expect([index, tasks[index]?.result]).toEqual([index, result]);
  expect(new Set(accepted.map(({ index }) => index)).size).toBe(accepted.length);
}

it('plan 7: of processes that make a plan at one instant one wins, and the others are refused', async () => {
  const children = await startAll(4);
  const atNs = String(process.hrtime.bigint() + LEAD_NS);
  const answers = await Promise.all(
    children.map((child, i) => child.ask({ job: 'make', file, label: `w${i}`, atNs })),
  );
  const codes = answers.map((answer) => (answer as { code: string }).code);
  expect([...codes].sort()).toEqual(['accepted', 'in-progress', 'in-progress', 'in-progress']);
  expect(await snapshot()).toMatchObject({ reasoning: `w${codes.indexOf('accepted')}`, epoch: 1 });
});

it('plan 11: processes that claim until nothing is left hand out every index exactly once', async () => {
  await make(60);
  const children = await startAll(4);
  const answers = await Promise.all(
    children.map((child, i) => child.ask({ job: 'take', file, label: `w${i}` })),
  );
  const taken = answers.flatMap((answer) => (answer as { taken: number[] }).taken);
  expect(taken.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i));
  for (const answer of answers) expect(answer).toMatchObject({ code: 'no-free-task' });
  for (const { attempts, generation } of (await snapshot()).tasks)
    expect([attempts, generation]).toEqual([1, 1]);
});

it('plan 58: 16 processes, 400 tasks, one file: 400 done, none stranded, no accepted result lost', async () => {
  await make(400);
  const children = await startAll(16);
  const paths = children.map((_, i) => join(folder, `w${i}.log`));
  const ends = children.map(async (child, i) => {
    // The first message says that the work has begun, the second that it has ended.
    await child.ask({ job: 'work', file, label: `w${i}`, leaseMs: 600_000, workMs: 0, path: paths[i] });
    return child.next();
  });
  const answers = await Promise.all(ends);
  for (const answer of answers) expect(answer).toMatchObject({ complete: true });
  const found = await snapshot();
  expectNothingLost(found, paths);
  expect(noted(paths)).toHaveLength(400);
  // No lease ran out, so no task was handed out twice: every close was accepted, none gave up.
  expect(found.tasks.every(({ attempts }) => attempts === 1)).toBe(true);
}, 300_000);

it('plan 58: the same with kills and pauses: every acknowledged result is the one that is stored', async () => {
  await make(120);
  const paths: string[] = [];
  const hire = async (): Promise<Child> => {
    const path = join(folder, `${paths.length}.log`);
    paths.push(path);
    const child = await start();
    // Long enough that a worker is nearly always in a task when it is hurt, on a fast machine too.
    // Two processes of one seat carry one label: before and after a restart.
    await child.ask({ job: 'work', file, label: `w${paths.length % 4}`, leaseMs: 400, workMs: 150, path });
    return child;
  };
  const crew = await Promise.all([hire(), hire(), hire(), hire(), hire(), hire()]);
  for (let round = 0; round < 400; round += 1) {
    await sleep(60 + ((round * 37) % 60));
    const seat = round % crew.length;
    if (round % 2 === 0) {
      await crew[seat]?.kill();
      crew[seat] = await hire();
    } else {
      const { process: paused } = crew[seat] as Child;
      paused.kill('SIGSTOP');
      await sleep(600);
      paused.kill('SIGCONT');
    }
    if ((await look((plan) => plan.snapshot()))?.complete) break;
  }
  const found = await snapshot();
  expectNothingLost(found, paths);
  expect(found.tasks.some(({ attempts }) => attempts > 1)).toBe(true);
});
