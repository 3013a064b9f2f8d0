/** The SQLite engine under the work facet: the waiting line around transactions of prepared statements. */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import type { Patience, Tally, WorkBackend, WorkTransaction } from '../../lease/backend.ts';
import type { WorkEventKind } from '../../lease/change.ts';
import { mergeEligible } from '../../lease/order.ts';
import { insertedRow } from '../../lease/row.ts';
import type { RefusalCode } from '../../store.ts';
import { engineError, isBusy } from './errors.ts';
import { WaitingLine } from './line.ts';
import { prepareQueries, type Queries } from './queries.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { BUSY, type Busy, createTransactions } from './transaction.ts';

/** A holder call whose lease is over still waits this long: a refusal tells more than a busy failure. */
const LATE_HOLDER_WAIT_MS = 1000;
const REFUSED = 'refused:';
const TRIMMED = 'trimmed:';

/** What the backend of one connection is made of. */
export interface SqliteBackendOptions {
  readonly db: Database.Database;
  readonly file: string;
  readonly clock: Clock;
  /** The store's clock. */
  readonly now: () => number;
  /** How long claims, reads and enqueues wait, in ms. */
  readonly claimBudgetMs: number;
}

/** The engine of one connection. */
export function createSqliteBackend(options: SqliteBackendOptions): WorkBackend & { close(): void } {
  const { db, file, clock, now, claimBudgetMs } = options;
  const queries = prepareQueries(db);
  const tryTransaction = createTransactions(db);
  const tx = transactionOf(queries, prepareStatements(db));
  const line = new WaitingLine(clock, file);
  const claimBudget = () => claimBudgetMs;

  function budgetOf(patience: Patience): () => number {
    if (patience.rank === 'claim') return claimBudget;
    const { untilMs, leaseMs } = patience;
    return () => {
      const left = untilMs === undefined ? leaseMs : untilMs - now();
      return Number.isFinite(left) ? Math.max(LATE_HOLDER_WAIT_MS, left) : LATE_HOLDER_WAIT_MS;
    };
  }

  return {
    write: (patience, body) =>
      line.run(patience.rank, budgetOf(patience), () => tryTransaction(() => body(tx, now()))),
    page: (after, limit) => line.read(claimBudget, () => tryRead(() => queries.page(after, limit))),
    tally: () => line.read(claimBudget, () => tryRead(() => tallyOf(db, queries))),
    close() {
      line.close();
      db.close();
    },
  };
}

function transactionOf(queries: Queries, statements: Statements): WorkTransaction {
  return {
    find: queries.find,
    eligible: (prefix, nowMs, limit) =>
      mergeEligible(queries.open(prefix, nowMs, limit), queries.lapsed(prefix, nowMs, limit), limit),
    insert: (item) => insertedRow(statements.insert(item), item),
    apply(row, change) {
      mustChangeOne(statements.change(row.id, change), `item ${row.key}`);
    },
    event(key, event, nowMs) {
      statements.event(nowMs, event.kind, key, event.author, event.generation);
    },
    countRefusal(code) {
      statements.count(REFUSED + code);
    },
  };
}

/** Reads do not want the write lock; they meet BUSY only while another process recovers the file. */
function tryRead<T>(read: () => T): T | Busy {
  try {
    return read();
  } catch (error) {
    if (isBusy(error)) return BUSY;
    throw engineError(error, 'Reading', true);
  }
}

/** Both tables in one snapshot. */
function tallyOf(db: Database.Database, queries: Queries): Tally {
  return db.transaction(() => {
    const events = new Map<WorkEventKind, number>();
    const refusals = new Map<RefusalCode, number>();
    const add = (kind: WorkEventKind, count: number) => events.set(kind, (events.get(kind) ?? 0) + count);
    for (const { kind, count } of queries.eventCounts()) add(kind as WorkEventKind, count);
    for (const { name, value } of queries.counters()) {
      if (name.startsWith(REFUSED)) refusals.set(name.slice(REFUSED.length) as RefusalCode, value);
      if (name.startsWith(TRIMMED)) add(name.slice(TRIMMED.length) as WorkEventKind, value);
    }
    return { events, refusals };
  })();
}

/** An UPDATE that met no row would be an answer without a write (spec/mutants.md M11). */
function mustChangeOne(changes: number, what: string): void {
  if (changes !== 1) throw new Error(`Expected to change 1 row of ${what}, changed ${changes}.`);
}
