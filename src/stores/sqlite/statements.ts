/** Every statement of the work facet, prepared once for a connection. */
import type Database from 'better-sqlite3';
import type { Change } from '../../lease/change.ts';
import type { ItemRow, NewRow } from '../../lease/row.ts';

const COLUMNS = `id, key, state, generation, attempts, max_attempts AS maxAttempts, eligible_at_ms AS eligibleAtMs, owner,
  acquired_at_ms AS acquiredAtMs, heartbeat_at_ms AS heartbeatAtMs, expires_at_ms AS expiresAtMs, lease_ms AS leaseMs,
  payload, result, error, enqueued_by AS enqueuedBy, completed_by AS completedBy`;

/** No byte of UTF-8 is as high as FF, so this is the first text behind all keys of the prefix. */
const UNDER_PREFIX = `key >= ? AND key < ? || CAST(x'FF' AS TEXT)`;

const OPEN = `SELECT ${COLUMNS} FROM items INDEXED BY items_open WHERE state = 'open' AND eligible_at_ms <= ?`;
const LAPSED = `SELECT ${COLUMNS} FROM items INDEXED BY items_leased WHERE state = 'leased' AND expires_at_ms <= ?`;
const FIRST = 'ORDER BY eligible_at_ms, id LIMIT ?';

/** The statements of one connection as functions. Each that changes a row answers how many it changed. */
export type Statements = ReturnType<typeof prepareStatements>;

/** Prepares them. */
export function prepareStatements(db: Database.Database) {
  const find = db.prepare<[string], ItemRow>(`SELECT ${COLUMNS} FROM items WHERE key = ?`);
  const open = db.prepare<[number, number], ItemRow>(`${OPEN} ${FIRST}`);
  const lapsed = db.prepare<[number, number], ItemRow>(`${LAPSED} ${FIRST}`);
  const openUnder = db.prepare<[number, string, string, number], ItemRow>(`${OPEN} AND ${UNDER_PREFIX} ${FIRST}`);
  const lapsedUnder = db.prepare<[number, string, string, number], ItemRow>(`${LAPSED} AND ${UNDER_PREFIX} ${FIRST}`);
  const firstPage = db.prepare<[number], ItemRow>(`SELECT ${COLUMNS} FROM items ORDER BY key LIMIT ?`);
  const nextPage = db.prepare<[string, number], ItemRow>(
    `SELECT ${COLUMNS} FROM items WHERE key > ? ORDER BY key LIMIT ?`,
  );
  const insert = db.prepare(
    `INSERT INTO items (key, state, generation, attempts, max_attempts, eligible_at_ms, payload, enqueued_by)
     VALUES (?, 'open', 0, 0, ?, ?, ?, ?)`,
  );
  const grant = db.prepare(
    `UPDATE items SET state = 'leased', generation = ?, owner = ?, attempts = ?, acquired_at_ms = ?,
     heartbeat_at_ms = NULL, expires_at_ms = ?, lease_ms = ? WHERE id = ?`,
  );
  const extend = db.prepare('UPDATE items SET heartbeat_at_ms = ?, expires_at_ms = ? WHERE id = ?');
  const complete = db.prepare(
    `UPDATE items SET state = 'done', expires_at_ms = NULL, result = ?, completed_by = ? WHERE id = ?`,
  );
  const reopen = db.prepare(
    `UPDATE items SET state = 'open', owner = NULL, expires_at_ms = NULL, eligible_at_ms = ?, error = ? WHERE id = ?`,
  );
  const bury = db.prepare(`UPDATE items SET state = 'dead', expires_at_ms = NULL, error = ? WHERE id = ?`);
  const event = db.prepare(
    'INSERT INTO events (at_ms, kind, key, author, generation) VALUES (?, ?, ?, ?, ?)',
  );
  const count = db.prepare(
    'INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1',
  );
  const eventCounts = db.prepare<[], { kind: string; count: number }>(
    'SELECT kind, count(*) AS count FROM events GROUP BY kind',
  );
  const counters = db.prepare<[], { name: string; value: number }>('SELECT name, value FROM counters');

  return {
    find: (key: string) => find.get(key),
    open: (prefix: string, nowMs: number, limit: number) =>
      prefix === '' ? open.all(nowMs, limit) : openUnder.all(nowMs, prefix, prefix, limit),
    lapsed: (prefix: string, nowMs: number, limit: number) =>
      prefix === '' ? lapsed.all(nowMs, limit) : lapsedUnder.all(nowMs, prefix, prefix, limit),
    page: (after: string | undefined, limit: number) =>
      after === undefined ? firstPage.all(limit) : nextPage.all(after, limit),
    insert: (item: NewRow) =>
      Number(
        insert.run(item.key, item.maxAttempts, item.eligibleAtMs, item.payload, item.enqueuedBy)
          .lastInsertRowid,
      ),
    change(id: number, change: Change): number {
      switch (change.kind) {
        case 'granted': {
          const { generation, owner, attempts, acquiredAtMs, expiresAtMs, leaseMs } = change;
          return grant.run(generation, owner, attempts, acquiredAtMs, expiresAtMs, leaseMs, id).changes;
        }
        case 'extended':
          return extend.run(change.heartbeatAtMs, change.expiresAtMs, id).changes;
        case 'completed':
          return complete.run(change.result, change.completedBy, id).changes;
        case 'opened':
          return reopen.run(change.eligibleAtMs, change.error, id).changes;
        case 'died':
          return bury.run(change.error, id).changes;
      }
    },
    event: (atMs: number, kind: string, key: string, author: string, generation: number) =>
      event.run(atMs, kind, key, author, generation).changes,
    count: (name: string) => count.run(name).changes,
    eventCounts: () => eventCounts.all(),
    counters: () => counters.all(),
  };
}
