/**
 * The SQLite store against the raw loop: claim and complete with their events, one process, the same schema, the same
 * file system, the two taking turns in one run. The floor is what prepared statements alone cost.
 *
 *   npm run build && node bench/store.mjs
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { STORE_FORMAT } from '../dist/src/stores/sqlite/schema.js';
import { createSqliteStore } from '../dist/src/stores/sqlite/store.js';
import { median, nowMs, printResults, withFolder } from './measure.mjs';
import { prepareRawCycle } from './raw-cycle.mjs';

const ITEMS = 8000;
const WARM_UP = 1;
const ROUNDS = 7;
const LEASE_MS = 30_000;
const GOAL = 1.5;

const itemsOf = (count) =>
  Array.from({ length: count }, (_, i) => ({ key: `bench/item-${i}`, payload: { number: i } }));

/** Our store, called as an application calls it. Answers microseconds a cycle. */
async function ours(file) {
  const store = await createSqliteStore({ file });
  await store.work.enqueue(itemsOf(ITEMS), { request: 'fill' });
  checkpoint(file);
  const from = nowMs();
  for (let i = 0; i < ITEMS; i += 1) {
    const claimed = await store.work.claimNext('bench/', {
      owner: 'w1',
      leaseMs: LEASE_MS,
      request: `c${i}`,
    });
    const done = await store.work.complete(claimed.value[0], { request: `d${i}`, result: { ok: true } });
    if (!done.accepted) throw new Error(done.refusal.message);
  }
  const took = nowMs() - from;
  store.close();
  return (took / ITEMS) * 1000;
}

/** The floor. */
function raw(file) {
  const db = new Database(file);
  db.exec(STORE_FORMAT.schema);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  fill(db);
  checkpoint(file);
  const cycle = prepareRawCycle(db, LEASE_MS);
  const from = nowMs();
  for (let i = 0; i < ITEMS; i += 1) {
    const row = cycle.claim('w1');
    JSON.parse(row.payload);
    cycle.complete(row, 'w1', `d${i}`, JSON.stringify({ ok: true }));
  }
  const took = nowMs() - from;
  db.close();
  return (took / ITEMS) * 1000;
}

/** What `enqueue` writes. */
function fill(db) {
  const insert = db.prepare(
    `INSERT INTO items (key, state, generation, attempts, eligible_at_ms, payload, enqueued_by)
     VALUES (?, 'open', 0, 0, ?, ?, 'fill')`,
  );
  const event = db.prepare(
    `INSERT INTO events (at_ms, kind, key, author, generation) VALUES (?, 'enqueued', ?, '', 0)`,
  );
  db.transaction(() => {
    for (const { key, payload } of itemsOf(ITEMS)) {
      insert.run(key, Date.now(), JSON.stringify(payload));
      event.run(Date.now(), key);
    }
  })();
}

function checkpoint(file) {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** Measures. Answers `{ name, ours, floor, ratio, goal, unit }`; the ratio is the median of the ratios of the rounds. */
export async function run() {
  return withFolder(async (folder) => {
    const rounds = [];
    for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
      const floor = raw(join(folder, `raw-${round}.db`));
      const store = await ours(join(folder, `ours-${round}.db`));
      if (round >= WARM_UP) rounds.push({ floor, store, ratio: store / floor });
    }
    return [
      {
        name: 'SQLite store, claim + complete with events, one process',
        ours: median(rounds.map((round) => round.store)),
        floor: median(rounds.map((round) => round.floor)),
        ratio: median(rounds.map((round) => round.ratio)),
        goal: GOAL,
        unit: 'µs',
      },
    ];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
