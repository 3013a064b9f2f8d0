/** Every writing statement of the work facet, and those of all facets: events and counters. Prepared once for a connection. None of them is ever run by `.get()`. */
import type Database from 'better-sqlite3';
import type { Change } from '../../lease/change.ts';
import type { NewRow } from '../../lease/row.ts';

/** The writing statements of one connection, as functions. */
export interface Statements {
  /** Answers the id. */
  insert(item: NewRow): number;
  /** Writes a change. Answers how many rows it met. */
  change(id: number, change: Change): number;
  event(
    atMs: number,
    kind: string,
    key: string,
    author: string,
    version: number | null,
    generation: number | null,
  ): void;
  /** Adds one to a counter. */
  count(name: string): void;
}

/** Prepares them. */
export function prepareStatements(db: Database.Database): Statements {
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
    'INSERT INTO events (at_ms, kind, key, author, version, generation) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = db.prepare(
    'INSERT INTO counters (name, value) VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET value = value + 1',
  );

  return {
    insert({ key, maxAttempts, eligibleAtMs, payload, enqueuedBy }) {
      return Number(insert.run(key, maxAttempts, eligibleAtMs, payload, enqueuedBy).lastInsertRowid);
    },
    change(id, change) {
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
    event(atMs, kind, key, author, version, generation) {
      event.run(atMs, kind, key, author, version, generation);
    },
    count(name) {
      count.run(name);
    },
  };
}
