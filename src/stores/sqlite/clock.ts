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
import type { FileFormat } from './format.ts';

/** The table that every file of ours has for its clock. */
export const CLOCK_ANCHORS = `CREATE TABLE clock_anchors (
  boot_id TEXT PRIMARY KEY,
  offset_ms REAL NOT NULL,
  set_at_ms REAL NOT NULL
) STRICT, WITHOUT ROWID;
`;

/**
 * Anchors this boot in the file if nobody has, and answers the store's clock. Call it while opening, with the busy
 * timeout on.
 */
export function anchoredNow(
  db: Database.Database,
  clock: Clock,
  { instants }: Pick<FileFormat, 'instants'>,
): () => number {
  const { bootId } = clock;
  if (bootId === undefined) return () => Math.floor(clock.wallMs());
  const offset = readOffset(db, bootId) ?? setOffset(db, bootId, clock, instants);
  return () => Math.floor(clock.monotonicMs()) + offset;
}

function readOffset(db: Database.Database, bootId: string): number | undefined {
  return db
    .prepare<[string], number>('SELECT offset_ms FROM clock_anchors WHERE boot_id = ?')
    .pluck()
    .get(bootId);
}

function setOffset(db: Database.Database, bootId: string, clock: Clock, instants: readonly string[]): number {
  return db
    .transaction(() => {
      const set = readOffset(db, bootId);
      if (set !== undefined) return set;
      const nowMs = Math.max(Math.floor(clock.wallMs()), newestInstant(db, instants));
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

function newestInstant(db: Database.Database, instants: readonly string[]): number {
  const newest = [...instants, 'SELECT max(set_at_ms) FROM clock_anchors']
    .map((sql) => db.prepare<[], number | null>(sql).pluck().get())
    .filter((at) => at !== null && at !== undefined);
  return Math.ceil(Math.max(Number.NEGATIVE_INFINITY, ...newest));
}
