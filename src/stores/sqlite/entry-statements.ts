/** Every writing statement of the entry facet, prepared once for a connection. None of them is ever run by `.get()`. */
import type Database from 'better-sqlite3';
import type { EntryRow } from '../../entries/row.ts';

/** The writing statements of one connection, as functions. */
export interface EntryStatements {
  /** Makes the key, or moves its head. Answers how many rows it met. */
  head(key: string, version: number, live: boolean): number;
  /** Adds a version to a key that has a head. Answers how many rows it met. */
  add(row: EntryRow): number;
  /** Drops the versions of a key below one. */
  dropBelow(key: string, version: number): void;
}

/** Prepares them. */
export function prepareEntryStatements(db: Database.Database): EntryStatements {
  const head = db.prepare(
    `INSERT INTO entry_keys (key, version, live) VALUES (?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET version = excluded.version, live = excluded.live`,
  );
  const add = db.prepare(
    `INSERT INTO entries (key_id, version, value, author, generation, created_at_ms, request)
     SELECT id, ?, ?, ?, ?, ?, ? FROM entry_keys WHERE key = ?`,
  );
  const drop = db.prepare(
    'DELETE FROM entries WHERE key_id = (SELECT id FROM entry_keys WHERE key = ?) AND version < ?',
  );
  return {
    head: (key, version, live) => head.run(key, version, live ? 1 : 0).changes,
    add({ key, version, value, author, generation, createdAtMs, request }) {
      return add.run(version, value, author, generation, createdAtMs, request, key).changes;
    },
    dropBelow(key, version) {
      drop.run(key, version);
    },
  };
}
