/** The SQLite store: the embedded default for workers on one machine, one file, one connection each. */
import { type Clock, systemClock } from '../../clock.ts';
import { entryCountersOf } from '../../entries/counters.ts';
import { createEntryStore, type EntryOptions } from '../../entries/entries.ts';
import { createFeed } from '../../entries/feed.ts';
import { invalidArgument } from '../../errors.ts';
import { countersOf } from '../../lease/counters.ts';
import { checkDuration } from '../../lease/validate.ts';
import { createWorkStore, type WorkOptions } from '../../lease/work.ts';
import type { EntryStore, Feed, Store, WorkStore } from '../../store.ts';
import { createSqliteBackend, type ReplaceEngine, type ReplaceStatements } from './backend.ts';
import { anchoredNow } from './clock.ts';
import { closedError, engineError } from './errors.ts';
import { type Durability, finishOpening, IN_MEMORY, openDatabase } from './open.ts';
import { STORE_FORMAT } from './schema.ts';
import type { PausePoint } from './transaction.ts';

const CLAIM_BUDGET_MS = 5000;

/** Options of `createSqliteStore`. */
export interface SqliteStoreOptions extends WorkOptions, EntryOptions {
  /** The database file. Made when it is not there; its folder must exist. */
  readonly file: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** What survives. @default 'process-crash'; `power-loss` syncs every commit and is about ten times slower */
  readonly durability?: Durability;
  /** How long a claim, an enqueue, an unfenced commit or a read waits for the file, in ms. Holder calls wait up to the end of their lease. @default 5000 */
  readonly claimBudgetMs?: number;
  /** Replaces writing statements; for stores that are broken on purpose. @default the statements of this package */
  readonly statements?: ReplaceStatements;
  /** Replaces the engine under the facets; for stores that are broken on purpose. @default the engine of this package */
  readonly engine?: ReplaceEngine;
  /** Called inside each write transaction, at `begun` and at `written`; for tests that stop a process there. */
  readonly pausePoint?: PausePoint | undefined;
}

/** A store with every method of every facet. */
export interface SqliteStore extends Store {
  readonly work: Required<WorkStore>;
  readonly entries: EntryStore;
  readonly feed: Required<Feed>;
  /** Counts the events of the file: the time it takes grows with their number. For reports, not for polling. */
  readonly counters: NonNullable<Store['counters']>;
  nowMs(): number;
}

/**
 * Opens a store file. Calls answer at once while the write lock is free, and with a promise when they have to wait for it.
 *
 * @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FAILED`, `INVALID_ARGUMENT`; from the
 * methods `INVALID_ARGUMENT`, `STORE_BUSY` and `STORE_CLOSED`, all definite, and `STORE_FAILED`
 * @example
 * const store = await createSqliteStore({ file: 'work.db' });
 * await store.work.enqueue([{ key: 'claims/item-1', payload: null }], { request: 'r1' });
 * const claimed = await store.work.claim('claims/item-1', { owner: 'w1', leaseMs: 30_000, request: 'r2' });
 */
export async function createSqliteStore(options: SqliteStoreOptions): Promise<SqliteStore> {
  const {
    file,
    clock = systemClock,
    durability = 'process-crash',
    claimBudgetMs = CLAIM_BUDGET_MS,
    statements,
    pausePoint,
  } = options;
  if (typeof file !== 'string' || file === '' || file === IN_MEMORY) {
    throw invalidArgument('file', 'the path of a file (for a store in memory use createMemoryStore)', file);
  }
  checkDuration('claimBudgetMs', claimBudgetMs);
  const db = openDatabase(file, durability, STORE_FORMAT);
  try {
    const now = anchoredNow(db, clock, STORE_FORMAT);
    finishOpening(db);
    const own = createSqliteBackend({ db, file, clock, now, claimBudgetMs, statements, pausePoint });
    const backend = options.engine?.(own, (sql) => db.exec(sql)) ?? own;
    return {
      nowMs() {
        if (!db.open) throw closedError(file);
        return now();
      },
      work: createWorkStore(backend, options),
      entries: createEntryStore(backend, options),
      feed: createFeed(backend),
      async counters() {
        const tally = await backend.tally();
        return { ...countersOf(tally), ...entryCountersOf(tally) };
      },
      close: () => backend.close(),
    };
  } catch (error) {
    db.close();
    throw engineError(error, `Opening ${file}`, true);
  }
}
