/**
 * The longest wait of a claim when 8 processes want one file all the time: our waiting line against SQLite's own busy
 * handler, on the same schema with the same statements per cycle, the two taking turns in one run.
 *
 *   npm run build && node bench/contention.mjs
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { createSqliteStore } from '../dist/src/stores/sqlite/store.js';
import { median, nowMs, printResults, withFolder } from './measure.mjs';
import { prepareRawCycle } from './raw-cycle.mjs';

const PROCESSES = 8;
const SECONDS = 2.5;
const ROUNDS = 5;
const ITEMS = 40_000;
const LEASE_MS = 30_000;
const BUSY_TIMEOUT_MS = 20_000;
const GOAL = 0.33;
const SELF = fileURLToPath(import.meta.url);

/** Claims and completes without a pause until `untilMs`. Answers the cycles and the longest claim in ms. */
const workers = {
  async ours(file, owner, begin) {
    const store = await createSqliteStore({ file, claimBudgetMs: BUSY_TIMEOUT_MS });
    const untilMs = await begin();
    let cycles = 0;
    let longestMs = 0;
    for (let from = nowMs(); from < untilMs; from = nowMs()) {
      const claimed = await store.work.claimNext('', {
        owner,
        leaseMs: LEASE_MS,
        request: `${owner}-c${cycles}`,
      });
      longestMs = Math.max(longestMs, nowMs() - from);
      if (!claimed.accepted) break;
      await store.work.complete(claimed.value[0], { request: `${owner}-d${cycles}`, result: null });
      cycles += 1;
    }
    store.close();
    return { cycles, longestMs };
  },

  async busy(file, owner, begin) {
    const db = new Database(file, { timeout: BUSY_TIMEOUT_MS });
    db.pragma('synchronous = NORMAL');
    const cycle = prepareRawCycle(db, LEASE_MS);
    const untilMs = await begin();
    let cycles = 0;
    let longestMs = 0;
    for (let from = nowMs(); from < untilMs; from = nowMs()) {
      const row = cycle.claim(owner);
      longestMs = Math.max(longestMs, nowMs() - from);
      if (row === undefined) break;
      cycle.complete(row, owner, `${owner}-d${cycles}`, 'null');
      cycles += 1;
    }
    db.close();
    return { cycles, longestMs };
  },
};

async function work(mode, file, owner) {
  const result = await workers[mode](file, owner, async () => {
    process.send('ready');
    await once(process, 'message');
    return nowMs() + SECONDS * 1000;
  });
  process.send(result, () => process.exit(0));
}

/** A file with more items than a round can finish. */
async function fill(file) {
  const store = await createSqliteStore({ file });
  const items = Array.from({ length: ITEMS }, (_, i) => ({ key: `item-${i}`, payload: null }));
  await store.work.enqueue(items, { request: 'fill' });
  store.close();
}

/** One round of one mode on a copy of the filled file. */
async function round(mode, filled) {
  const file = `${filled}-${mode}`;
  copyFileSync(filled, file);
  const children = Array.from({ length: PROCESSES }, (_, i) => fork(SELF, ['worker', mode, file, `w${i}`]));
  try {
    await Promise.all(children.map((child) => once(child, 'message')));
    const answers = children.map((child) => once(child, 'message'));
    for (const child of children) child.send('begin');
    const results = (await Promise.all(answers)).map(([result]) => result);
    await Promise.all(children.map((child) => child.exitCode === null && once(child, 'exit')));
    const cycles = results.map((result) => result.cycles);
    return {
      longestMs: Math.max(...results.map((result) => result.longestMs)),
      perSecond: cycles.reduce((a, b) => a + b, 0) / SECONDS,
      leastOverMost: Math.min(...cycles) / Math.max(...cycles),
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
}

/** Measures. Answers `{ name, ours, floor, ratio, goal, unit }`, what has a goal and what has none. */
async function measure() {
  return withFolder(async (folder) => {
    const filled = join(folder, 'filled.db');
    await fill(filled);
    const rounds = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      const busy = await round('busy', filled);
      const ours = await round('ours', filled);
      rounds.push({ busy, ours });
    }
    const of = (pick) => ({
      ours: median(rounds.map((each) => pick(each.ours))),
      floor: median(rounds.map((each) => pick(each.busy))),
      ratio: median(rounds.map((each) => pick(each.ours) / pick(each.busy))),
    });
    const processes = `${PROCESSES} processes`;
    return [
      { name: `longest claim, ${processes}`, ...of((each) => each.longestMs), goal: GOAL, unit: 'ms' },
      { name: `cycles, ${processes}`, ...of((each) => each.perSecond), unit: '/s' },
      {
        name: `cycles of the slowest over the fastest, ${processes}`,
        ...of((each) => each.leastOverMost),
        unit: '',
      },
    ];
  });
}

/** What has a goal. */
export async function run() {
  return (await measure()).filter((result) => result.goal !== undefined);
}

if (process.argv[1] === SELF) {
  if (process.argv[2] === 'worker') await work(...process.argv.slice(3));
  else printResults(await measure());
}
