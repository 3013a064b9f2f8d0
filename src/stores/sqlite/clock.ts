/**
 * The clock of a store file: the kernel's monotonic clock plus an offset that the file keeps for each boot, in whole ms.
 *
 * All processes of one boot read one monotonic clock, so with one offset they agree to the millisecond, and no step of the
 * wall clock, of theirs or of the machine, decides anything. The first opener of a boot sets the offset under the write
 * lock: by its wall clock, but never behind the newest instant that the file holds, so that time in the file never
 * runs backwards across a reboot. Where the kernel's boot cannot be named the wall clock is all there is; the store module
 * then declares `store-wall`.
 */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import { TRIMMED_AT } from './feed.ts';

/**
 * Anchors this boot in the file if nobody has, and answers the store's clock. Call it while opening, with the busy
 * timeout on.
 */
export function anchoredNow(db: Database.Database, clock: Clock): () => number {
  const { bootId } = clock;
  if (bootId === undefined) return () => Math.floor(clock.wallMs());
  const offset = readOffset(db, bootId) ?? setOffset(db, bootId, clock);
  return () => Math.floor(clock.monotonicMs()) + offset;
}

function readOffset(db: Database.Database, bootId: string): number | undefined {
  return db
    .prepare<[string], number>('SELECT offset_ms FROM clock_anchors WHERE boot_id = ?')
    .pluck()
    .get(bootId);
}

function setOffset(db: Database.Database, bootId: string, clock: Clock): number {
  return db
    .transaction(() => {
      const set = readOffset(db, bootId);
      if (set !== undefined) return set;
      const nowMs = Math.max(Math.floor(clock.wallMs()), newestInstant(db));
      const offset = nowMs - Math.floor(clock.monotonicMs());
      db.prepare('INSERT INTO clock_anchors (boot_id, offset_ms, set_at_ms) VALUES (?, ?, ?)').run(
        bootId,
        offset,
        nowMs,
      );
      return offset;
    })
    .immediate();
}

/** The newest instant at which anything in the file happened. Ends of leases and not-before instants may lie ahead. */
function newestInstant(db: Database.Database): number {
  const newest = db
    .prepare<[], number | null>(
      `SELECT max(at) FROM (
        SELECT max(at_ms) AS at FROM events
        UNION ALL SELECT max(acquired_at_ms) FROM items
        UNION ALL SELECT max(heartbeat_at_ms) FROM items
        UNION ALL SELECT max(set_at_ms) FROM clock_anchors
        UNION ALL SELECT value FROM counters WHERE name = '${TRIMMED_AT}'
      )`,
    )
    .pluck()
    .get();
  return newest === null || newest === undefined ? Number.NEGATIVE_INFINITY : Math.ceil(newest);
}
