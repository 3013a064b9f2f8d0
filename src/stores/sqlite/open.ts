/**
 * Opens a store file, or makes it, also when many processes do so at once.
 *
 * The settings of a connection, each set explicitly:
 *
 * | pragma | value | why |
 * | --- | --- | --- |
 * | `journal_mode` | WAL | readers and the writer do not stand in each other's way |
 * | `synchronous` | NORMAL, or FULL by option | NORMAL: nothing is lost when a process is killed; a power loss may take the last commits, and with them the last generations. FULL: every commit is synced and survives power loss, at about ten times the cost |
 * | `wal_autocheckpoint` | 1000 pages | SQLite's default; smaller syncs too often, larger lets the WAL grow |
 * | `busy_timeout` | 5000 ms while opening, then 0 | a recovery or another first opener is waited for; afterwards the waiting line decides (line.ts) |
 * | `foreign_keys` | ON | SQLite's default is OFF |
 * | `trusted_schema` | OFF | a file that came from elsewhere runs no code of its own |
 *
 * Order: look at the header, open, make the tables in one transaction of the rollback journal, only then switch to WAL. So
 * a file that is not ours is refused before anything is written, and half a file is never seen.
 */
import Database from 'better-sqlite3';
import { engineError, isBusy } from './errors.ts';
import type { FileFormat } from './format.ts';
import { checkIdentity, corrupt, refuseUnlessOurs } from './header.ts';
import { nap } from './nap.ts';

/** What survives: `process-crash` (synchronous NORMAL) or also `power-loss` (FULL). */
export type Durability = 'process-crash' | 'power-loss';

const OPEN_TIMEOUT_MS = 5000;
/** SQLite's name for a database that lives and dies with its connection. */
export const IN_MEMORY = ':memory:';

/**
 * Opens the file with its tables in place. The busy timeout is still 5000 ms; `finishOpening` ends that.
 *
 * @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FAILED`
 */
export function openDatabase(file: string, durability: Durability, format: FileFormat): Database.Database {
  if (file !== IN_MEMORY) refuseUnlessOurs(file, format);
  let db: Database.Database | undefined;
  try {
    db = new Database(file, { timeout: OPEN_TIMEOUT_MS });
    ensureTables(db, file, format);
    if (file !== IN_MEMORY) switchToWal(db, file);
    db.pragma(`synchronous = ${durability === 'power-loss' ? 'FULL' : 'NORMAL'}`);
    db.pragma('wal_autocheckpoint = 1000');
    db.pragma('foreign_keys = ON');
    db.pragma('trusted_schema = OFF');
    return db;
  } catch (error) {
    db?.close();
    throw engineError(error, `Opening ${file}`, true);
  }
}

/** From here on the waiting line decides how long a lock is waited for. */
export function finishOpening(db: Database.Database): void {
  db.pragma('busy_timeout = 0');
}

function ensureTables(db: Database.Database, file: string, format: FileFormat): void {
  if (isEmpty(db)) {
    // Asked again under the write lock: another process may have made the tables since.
    db.transaction(() => {
      if (!isEmpty(db)) return;
      db.pragma(`application_id = ${format.applicationId}`);
      db.pragma(`user_version = ${format.version}`);
      db.exec(format.schema);
    }).immediate();
  }
  checkIdentity(file, format, pragmaNumber(db, 'application_id'), pragmaNumber(db, 'user_version'));
  const tables = db.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).pluck().all();
  const missing = format.tables.find((table) => !tables.includes(table));
  if (missing !== undefined) throw corrupt(file, `a table ${missing}, found none`);
}

function isEmpty(db: Database.Database): boolean {
  const objects = db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get();
  return objects === 0 && pragmaNumber(db, 'application_id') === 0;
}

function pragmaNumber(db: Database.Database, name: string): number {
  return Number(db.pragma(name, { simple: true }));
}

/**
 * Persistent, so only the first opener really switches. It needs the file to itself for a moment, and SQLite does not
 * always let the busy timeout work for that: hence the tries of our own.
 */
function switchToWal(db: Database.Database, file: string): void {
  for (let tries = 0; ; tries += 1) {
    try {
      const mode = db.pragma('journal_mode = WAL', { simple: true });
      if (mode === 'wal') return;
      throw corrupt(file, `journal mode wal, found ${String(mode)}`);
    } catch (error) {
      if (!isBusy(error) || tries >= 1000) throw error;
      nap(1 + Math.random() * 4);
    }
  }
}
