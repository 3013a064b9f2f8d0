/**
 * The SQLite store against the raw loop: claim and complete with their events, one process, the same schema, the same
 * file system, the two taking turns in one run. The floor is what prepared statements alone cost.
 *
 *   npm run build && node bench/store.mjs
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { SCHEMA } from '../dist/src/stores/sqlite/schema.js';
import { createSqliteStore } from '../dist/src/stores/sqlite/store.js';
import { median, nowMs, printResults, withFolder } from './measure.mjs';

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

/** The floor: the fewest statements that claim, fence and complete on the same tables with the same events. */
function raw(file) {
  const db = new Database(file);
  db.exec(SCHEMA);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const insert = db.prepare(
    `INSERT INTO items (key, state, generation, attempts, eligible_at_ms, payload, enqueued_by) VALUES (?, 'open', 0, 0, ?, ?, 'fill')`,
  );
  const claim = db.prepare(
    `UPDATE items SET state = 'leased', generation = generation + 1, owner = ?, attempts = attempts + 1,
     acquired_at_ms = ?, heartbeat_at_ms = NULL, expires_at_ms = ?, lease_ms = ?
     WHERE id = (SELECT id FROM items WHERE state = 'open' AND eligible_at_ms <= ? ORDER BY eligible_at_ms, id LIMIT 1)
     RETURNING key, generation, payload`,
  );
  const complete = db.prepare(
    `UPDATE items SET state = 'done', expires_at_ms = NULL, result = ?, completed_by = ?
     WHERE key = ? AND generation = ? AND owner = ? AND state = 'leased' AND expires_at_ms > ?`,
  );
  const event = db.prepare(
    'INSERT INTO events (at_ms, kind, key, author, generation) VALUES (?, ?, ?, ?, ?)',
  );
  begin.run();
  for (const { key, payload } of itemsOf(ITEMS)) {
    insert.run(key, Date.now(), JSON.stringify(payload));
    event.run(Date.now(), 'enqueued', key, '', 0);
  }
  commit.run();
  checkpoint(file);
  const from = nowMs();
  for (let i = 0; i < ITEMS; i += 1) {
    begin.run();
    let at = Date.now();
    const [row] = claim.all('w1', at, at + LEASE_MS, LEASE_MS, at);
    event.run(at, 'claimed', row.key, 'w1', row.generation);
    commit.run();
    JSON.parse(row.payload);
    begin.run();
    at = Date.now();
    const { changes } = complete.run(
      JSON.stringify({ ok: true }),
      `d${i}`,
      row.key,
      row.generation,
      'w1',
      at,
    );
    if (changes !== 1) throw new Error('lost');
    event.run(at, 'completed', row.key, 'w1', row.generation);
    commit.run();
  }
  const took = nowMs() - from;
  db.close();
  return (took / ITEMS) * 1000;
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
