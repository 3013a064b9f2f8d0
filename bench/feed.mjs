/**
 * What a follower costs: 20,000 writes (10,000 items claimed and completed) while another process follows the feed from the
 * start, page by page. The write-ahead file must stay as small, and the claims as quick, as without one. For contrast the
 * same beside a reader that keeps its snapshot open, which is what `since` never does (case A07).
 *
 *   npm run build && node bench/feed.mjs
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { createSqliteStore } from '../dist/src/stores/sqlite/store.js';
import { median, nowMs, printResults, withFolder } from './measure.mjs';

const ITEMS = 10_000;
const ROUNDS = 3;
const LEASE_MS = 30_000;
const PAGE = 100;
const SELF = fileURLToPath(import.meta.url);

/** What reads beside the writer, in a process of its own, until it is told to end. */
const readers = {
  async follower(file) {
    const store = await createSqliteStore({ file });
    let ending = false;
    let cursor = 0;
    let seen = 0;
    process.on('message', () => {
      ending = true;
    });
    process.send('ready');
    for (;;) {
      const page = await store.feed.since(cursor, PAGE);
      seen += page.events.length;
      cursor = page.cursor;
      if (page.events.length === 0 && ending) break;
      if (page.events.length < PAGE) await sleep(5);
    }
    await store.close();
    return seen;
  },

  async snapshot(file) {
    const db = new Database(file, { readonly: true });
    db.exec('BEGIN');
    db.prepare('SELECT count(*) FROM events').get();
    process.send('ready');
    await once(process, 'message');
    db.exec('COMMIT');
    db.close();
    return 0;
  },
};

/** One round. Answers the largest size of the write-ahead file in MB, microseconds a cycle, and the longest claim in ms. */
async function round(kind, file) {
  const store = await createSqliteStore({ file });
  const items = Array.from({ length: ITEMS }, (_, i) => ({ key: `item-${i}`, payload: null }));
  await store.work.enqueue(items, { request: 'fill' });
  truncate(file);
  const reader = kind === 'alone' ? undefined : fork(SELF, ['reader', kind, file]);
  try {
    if (reader) await once(reader, 'message');
    let walBytes = 0;
    let longestMs = 0;
    const from = nowMs();
    for (let i = 0; i < ITEMS; i += 1) {
      const began = nowMs();
      const claimed = await store.work.claimNext('', { owner: 'w1', leaseMs: LEASE_MS, request: `c${i}` });
      longestMs = Math.max(longestMs, nowMs() - began);
      const done = await store.work.complete(claimed.value[0], { request: `d${i}`, result: null });
      if (!done.accepted) throw new Error(done.refusal.message);
      if (i % 50 === 0) walBytes = Math.max(walBytes, statSync(`${file}-wal`).size);
    }
    const perCycle = ((nowMs() - from) / ITEMS) * 1000;
    if (reader) {
      const answer = once(reader, 'message');
      reader.send('end');
      const [seen] = await answer;
      if (kind === 'follower' && seen !== 3 * ITEMS) throw new Error(`the follower saw ${seen} events`);
    }
    return { walMB: walBytes / 1e6, perCycle, longestMs };
  } finally {
    reader?.kill('SIGKILL');
    await store.close();
    for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true });
  }
}

/** The file that the filling left behind tells nothing. */
function truncate(file) {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Measures. Answers `{ name, ours, floor, ratio, goal, unit }`, what has a goal and what has none. */
async function measure() {
  return withFolder(async (folder) => {
    const rounds = [];
    for (let i = 0; i < ROUNDS; i += 1) {
      const one = {};
      for (const kind of ['alone', 'follower', 'snapshot'])
        one[kind] = await round(kind, join(folder, `${i}.db`));
      rounds.push(one);
    }
    const of = (floor, pick) => ({
      ours: median(rounds.map((each) => pick(each.follower))),
      floor: median(rounds.map((each) => pick(each[floor]))),
      ratio: median(rounds.map((each) => pick(each.follower) / pick(each[floor]))),
    });
    const writes = `${(2 * ITEMS).toLocaleString('en')} writes`;
    return [
      {
        name: `largest write-ahead file, ${writes}: beside a follower / alone`,
        ...of('alone', (each) => each.walMB),
        goal: 1.5,
        unit: 'MB',
      },
      {
        name: `largest write-ahead file, ${writes}: beside a follower / beside a reader that holds its snapshot`,
        ...of('snapshot', (each) => each.walMB),
        goal: 0.5,
        unit: 'MB',
      },
      {
        name: `claim + complete, ${writes}: beside a follower / alone`,
        ...of('alone', (each) => each.perCycle),
        goal: 2,
        unit: 'µs',
      },
      {
        name: 'longest claim: beside a follower / alone',
        ...of('alone', (each) => each.longestMs),
        unit: 'ms',
      },
    ];
  });
}

/** What has a goal. */
export async function run() {
  return (await measure()).filter((result) => result.goal !== undefined);
}

if (process.argv[1] === SELF) {
  if (process.argv[2] === 'reader') {
    const seen = await readers[process.argv[3]](process.argv[4]);
    process.send(seen, () => process.exit(0));
  } else printResults(await measure());
}
