/**
 * One try of one write transaction: BEGIN IMMEDIATE, the body, COMMIT, as one synchronous stretch.
 *
 * The write lock is taken first, always: a transaction that reads first and wants to write later is refused at once when
 * somebody committed in between, whatever the timeout. What an error means for the caller (spec/checking.md 3.4): BUSY at
 * BEGIN has no effect; after any other error the rollback is asked for, and only a rollback that SQLite confirms makes the
 * failure definite.
 */
import type Database from 'better-sqlite3';
import { engineError, isBusy, isEngineError } from './errors.ts';

/** The write lock is somebody else's; nothing happened. */
export const BUSY = Symbol('busy');
export type Busy = typeof BUSY;

/** Tries to run a body in a write transaction. */
export type TryTransaction = <T>(body: () => T) => T | Busy;

/** Told of the two places inside a transaction where a process may be stopped on purpose. */
export type PausePoint = (name: 'begun' | 'written') => void;

/** Makes the tries of one connection. */
export function createTransactions(db: Database.Database, pausePoint?: PausePoint): TryTransaction {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');

  function rolledBack(): boolean {
    if (!db.inTransaction) return false;
    try {
      rollback.run();
      return !db.inTransaction;
    } catch {
      return false;
    }
  }

  return (body) => {
    if (!tryBegin(begin)) return BUSY;
    try {
      pausePoint?.('begun');
      const value = body();
      pausePoint?.('written');
      commit.run();
      return value;
    } catch (error) {
      const definite = rolledBack();
      // A rule that threw says itself what is wrong.
      if (definite && !isEngineError(error)) throw error;
      throw engineError(error, 'The transaction', definite);
    }
  };
}

/**
 * A busy answer is an everyday event under load, so its stack trace is not worth its price.
 *
 * @throws FencepostError `STORE_FAILED`, `STORE_CORRUPT`: definite, since no transaction was begun
 */
function tryBegin(begin: Database.Statement): boolean {
  const limit = Error.stackTraceLimit;
  let failure: unknown;
  try {
    Error.stackTraceLimit = 0;
    begin.run();
    return true;
  } catch (error) {
    failure = error;
  } finally {
    Error.stackTraceLimit = limit;
  }
  if (isBusy(failure)) return false;
  throw engineError(failure, 'BEGIN IMMEDIATE', true);
}

/** Reads do not want the write lock; they meet BUSY only while another process recovers the file. */
export function tryRead<T>(read: () => T): T | Busy {
  try {
    return read();
  } catch (error) {
    if (isBusy(error)) return BUSY;
    throw engineError(error, 'Reading', true);
  }
}
