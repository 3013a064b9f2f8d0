/**
 * What a plan costs: 16 processes do 400 tasks of one plan, and 400 items of the work facet, which are a row each; and 200 claims on plans
 * of 10 to 10,000 tasks. Shown only: a plan is for tasks that take seconds and more, and the numbers say where its limit is.
 *
 *   npm run build && node bench/plan.mjs
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createPlan } from '../dist/src/plan/plan.js';
import { createSqliteStore } from '../dist/src/stores/sqlite/store.js';
import { median, nowMs, withFolder } from './measure.mjs';

const PROCESSES = 16;
const TASKS = 400;
const CLAIMS = 200;
const SIZES = [10, 100, 1000, 10_000];
const LEASE_MS = 600_000;
/** A busy machine shows as a low rate, not as an error. */
const BUDGET_MS = 120_000;
const SELF = fileURLToPath(import.meta.url);

const workers = {
  async plan(store, owner) {
    const plan = createPlan({ store, planId: 'p', leaseMs: LEASE_MS, label: owner });
    let gaveUp = 0;
    for (;;) {
      try {
        const claimed = await plan.claimNext({ owner });
        if (!claimed.accepted) return gaveUp;
        await plan.markDone(claimed.value.index, 'done', claimed.value);
      } catch (error) {
        if (error.code !== 'PLAN_CONTENDED') throw error;
        gaveUp += 1;
      }
    }
  },

  async rows(store, owner) {
    for (let i = 0; ; i += 1) {
      const claimed = await store.work.claimNext('', { owner, leaseMs: LEASE_MS, request: `${owner}-c${i}` });
      if (!claimed.accepted) return 0;
      await store.work.complete(claimed.value[0], { request: `${owner}-d${i}`, result: 'done' });
    }
  },
};

async function work(mode, file, owner) {
  const store = await createSqliteStore({ file, claimBudgetMs: BUDGET_MS });
  process.send('ready');
  await once(process, 'message');
  const gaveUp = await workers[mode](store, owner);
  await store.close();
  process.send({ gaveUp }, () => process.exit(0));
}

const texts = (count) => Array.from({ length: count }, (_, i) => `task ${i}: some forty characters of text`);

async function fill(file) {
  const store = await createSqliteStore({ file });
  await createPlan({ store, planId: 'p' }).setPlan('r', texts(TASKS));
  const items = Array.from({ length: TASKS }, (_, i) => ({ key: `item-${i}`, payload: null }));
  await store.work.enqueue(items, { request: 'fill' });
  await store.close();
}

/** 16 processes of one mode on one fresh file. */
async function crowd(mode, file) {
  await fill(file);
  const children = Array.from({ length: PROCESSES }, (_, i) => fork(SELF, ['worker', mode, file, `w${i}`]));
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const answers = children.map((child) => once(child, 'message'));
    const from = nowMs();
    for (const child of children) child.send('begin');
    const results = (await Promise.all(answers)).map(([result]) => result);
    const seconds = (nowMs() - from) / 1000;
    const store = await createSqliteStore({ file });
    const { conflicts, sets } = await store.counters();
    await store.close();
    const gaveUp = results.reduce((sum, result) => sum + result.gaveUp, 0);
    return { perSecond: TASKS / seconds, conflictRate: conflicts / (conflicts + sets), gaveUp };
  } finally {
    for (const child of children) child.kill('SIGKILL');
  }
}

/** The median time of one claim on a plan of so many tasks, nobody else there. */
async function claimMs(folder, size) {
  const store = await createSqliteStore({ file: join(folder, `size-${size}.db`) });
  const plan = createPlan({ store, planId: 'p', maxAttempts: 1_000_000 });
  await plan.setPlan('r', texts(size));
  const took = [];
  for (let i = 0; i < CLAIMS; i += 1) {
    const from = nowMs();
    const { value } = await plan.claimNext({ owner: 'w' });
    took.push(nowMs() - from);
    await plan.markFailed(value.index, 'again', value);
  }
  await store.close();
  return median(took);
}

async function measure() {
  await withFolder(async (folder) => {
    const rows = await crowd('rows', join(folder, 'rows.db'));
    const plan = await crowd('plan', join(folder, 'plan.db'));
    console.log(`${PROCESSES} processes, ${TASKS} tasks without any work, one file`);
    console.log(`  one row each   ${rows.perSecond.toFixed(0)} done/s`);
    console.log(
      `  one plan       ${plan.perSecond.toFixed(0)} done/s   ${(plan.conflictRate * 100).toFixed(0)} % of writes lost their race   ${plan.gaveUp} claims gave up and came again`,
    );
    console.log(`one process, ${CLAIMS} claims, nobody else`);
    for (const size of SIZES) {
      const ms = await claimMs(folder, size);
      console.log(`  ${size.toLocaleString('en').padStart(6)} tasks   ${ms.toFixed(2)} ms a claim`);
    }
  });
}

if (process.argv[1] === SELF) {
  if (process.argv[2] === 'worker') await work(...process.argv.slice(3));
  else await measure();
}
