/**
 * The events of a file: pages behind a cursor, and trimming.
 *
 * Ids ascend in the order of commit, because an event gets its id under the write lock and the lock is held to the end of the
 * transaction: no lower id ever shows later (cases.md A21). SQLite takes the ids of a rolled-back transaction back, so
 * they have no gaps.
 */
import type Database from 'better-sqlite3';
import type { EventRow, FeedSlice } from '../../entries/backend.ts';
import { LIMIT } from './sql.ts';

/** Under these names the counters keep what trimmed events had counted, by kind, and the newest instant among them. */
export const TRIMMED = 'trimmed:';
export const TRIMMED_AT = 'trimmed-at-ms';

/** Events dropped in one transaction. A few milliseconds of the write lock; between two, others get their turn. */
const TRIMMED_AT_ONCE = 5000;

/** The statements of the feed of one connection, as functions. */
export interface FeedStatements {
  /** One page in one snapshot; nothing is open when it answers. */
  after(cursor: number, limit: number): FeedSlice;
  /** Drops a first part of the events below an id; inside a write transaction. Answers whether there are more. */
  trimSome(beforeId: number): boolean;
}

/** Prepares them. */
export function prepareFeed(db: Database.Database): FeedStatements {
  const page = db.prepare<[number, number], EventRow>(
    `SELECT id, at_ms AS atMs, kind, key, author, version, generation FROM events
     WHERE id > ? ORDER BY id ${LIMIT}`,
  );
  const oldest = db.prepare<[], number | null>('SELECT min(id) FROM events').pluck();
  const firstBehind = db.prepare<[number], number | null>('SELECT min(id) FROM events WHERE id > ?').pluck();
  const last = db.prepare<[], number>(`SELECT seq FROM sqlite_sequence WHERE name = 'events'`).pluck();
  const countTrimmed = db.prepare(
    `INSERT INTO counters (name, value) SELECT '${TRIMMED}' || kind, count(*) FROM events WHERE id < ? GROUP BY kind
     ON CONFLICT (name) DO UPDATE SET value = value + excluded.value`,
  );
  const noteInstant = db.prepare(
    `INSERT INTO counters (name, value)
     SELECT '${TRIMMED_AT}', CAST(max(at_ms) AS INTEGER) FROM events WHERE id < ? HAVING count(*) > 0
     ON CONFLICT (name) DO UPDATE SET value = max(value, excluded.value)`,
  );
  const drop = db.prepare('DELETE FROM events WHERE id < ?');

  const slice = db.transaction((cursor: number, limit: number): FeedSlice => {
    const events = page.all(cursor, limit);
    return {
      events,
      oldestId: oldest.get() ?? undefined,
      nextId: events[0]?.id ?? firstBehind.get(cursor) ?? (last.get() ?? 0) + 1,
    };
  });

  return {
    after: (cursor, limit) => slice.deferred(cursor, limit),
    trimSome(beforeId) {
      const first = oldest.get() ?? beforeId;
      const end = Math.min(beforeId, first + TRIMMED_AT_ONCE);
      if (first >= end) return false;
      countTrimmed.run(end);
      noteInstant.run(end);
      drop.run(end);
      return end < beforeId;
    },
  };
}
