/** Sits on the write lock of a store file: what a backup, a migration or a debugger may do to its users. */
import Database from 'better-sqlite3';
import type { StoreHold } from '../../store.ts';

const TIMEOUT_MS = 5000;

/**
 * Takes the write lock and writes nothing.
 *
 * @throws what SQLite throws: there is no such file, or the lock was not to be had within 5 s
 */
export function holdWriteLock(file: string): StoreHold {
  const db = new Database(file, { timeout: TIMEOUT_MS, fileMustExist: true });
  try {
    db.prepare('BEGIN IMMEDIATE').run();
  } catch (error) {
    db.close();
    throw error;
  }
  return {
    release() {
      db.prepare('ROLLBACK').run();
      db.close();
    },
  };
}
