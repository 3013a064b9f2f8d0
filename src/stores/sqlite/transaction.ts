/**
 * One try of one write transaction: BEGIN IMMEDIATE, the body, COMMIT, as one synchronous stretch.
 *
 * The write lock is taken first, always: a transaction that reads first and wants to write later is refused at once when
 * somebody committed in between, whatever the timeout. What an error means for the caller (spec/checking.md 3.4): BUSY at
 * BEGIN has no effect; after any other error the rollback is asked for, and only a rollback that SQLite confirms makes the
 * failure definite.
 */
import type Database from 'better-sqlite3';
import { FencepostError } from '../../errors.ts';
import { engineError, isBusy } from './errors.ts';

/** The write lock is somebody else's; nothing happened. */
export const BUSY = Symbol('busy');
export type Busy = typeof BUSY;

/** Tries to run a body in a write transaction. */
export type TryTransaction = <T>(body: () => T) => T | Busy;

/** Makes the tries of one connection. */
export function createTransactions(db: Database.Database): TryTransaction {
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
      const value = body();
      commit.run();
      return value;
    } catch (error) {
      const definite = rolledBack();
      // Not the engine's: a rule that threw, or an error that already says what it means.
      if (definite && (error instanceof FencepostError || !isEngines(error))) throw error;
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
  Error.stackTraceLimit = 0;
  try {
    begin.run();
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw engineError(error, 'BEGIN IMMEDIATE', true);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function isEngines(error: unknown): boolean {
  return error instanceof Error && error.name === 'SqliteError';
}
