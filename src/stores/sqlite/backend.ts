/** The SQLite engine under every facet: the waiting line around transactions of prepared statements. */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import type { EntryBackend, EntryTransaction, FeedBackend } from '../../entries/backend.ts';
import type { Patience, Tally, WorkBackend, WorkTransaction } from '../../lease/backend.ts';
import { mergeEligible } from '../../lease/order.ts';
import { insertedRow } from '../../lease/row.ts';
import type { Awaitable, RefusalCode } from '../../store.ts';
import { prepareEntryQueries } from './entry-queries.ts';
import { type EntryStatements, prepareEntryStatements } from './entry-statements.ts';
import { entryTransactionOf } from './entry-transaction.ts';
import { prepareFeed, TRIMMED } from './feed.ts';
import { WaitingLine } from './line.ts';
import { mustChangeOne } from './must-change.ts';
import { prepareQueries, type Queries } from './queries.ts';
import { prepareStatements, type Statements } from './statements.ts';
import { createTransactions, type PausePoint, tryRead } from './transaction.ts';

/** A holder call whose lease is over still waits this long: a refusal tells more than a busy failure. */
const LATE_HOLDER_WAIT_MS = 1000;
const REFUSED = 'refused:';

/** What the backend of one connection is made of. */
export interface SqliteBackendOptions {
  readonly db: Database.Database;
  readonly file: string;
  readonly clock: Clock;
  /** The store's clock. */
  readonly now: () => number;
  /** How long claims, reads and enqueues wait, in ms. */
  readonly claimBudgetMs: number;
  readonly statements?: ReplaceStatements | undefined;
  readonly pausePoint?: PausePoint | undefined;
}

/** The writing statements of one connection. */
export type WritingStatements = Statements & EntryStatements;

/** Gives other writing statements in place of `own`; `run` executes SQL on the same connection, inside the transaction. */
export type ReplaceStatements = (own: WritingStatements, run: (sql: string) => void) => WritingStatements;

/** Gives another engine in place of `own`; `run` executes SQL on the same connection. */
export type ReplaceEngine = (own: SqliteBackend, run: (sql: string) => void) => SqliteBackend;

/** What a body sees and writes while it has the write lock. */
export type SqliteTransaction = WorkTransaction & EntryTransaction;

/** The engine of one connection: one waiting line and one clock for all facets. */
export interface SqliteBackend extends WorkBackend, EntryBackend, FeedBackend {
  write<T>(patience: Patience, body: (tx: SqliteTransaction, nowMs: number) => T): Awaitable<T>;
  close(): void;
}

/** Makes it. */
export function createSqliteBackend(options: SqliteBackendOptions): SqliteBackend {
  const { db, file, clock, now, claimBudgetMs } = options;
  const queries = prepareQueries(db);
  const tryTransaction = createTransactions(db, options.pausePoint);
  const entryQueries = prepareEntryQueries(db);
  const feed = prepareFeed(db);
  const own = { ...prepareStatements(db), ...prepareEntryStatements(db) };
  const statements = options.statements?.(own, (sql) => db.exec(sql)) ?? own;
  const tx = {
    ...transactionOf(queries, statements),
    ...entryTransactionOf(entryQueries, statements, statements.event),
  };
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

  /** A claim's patience: everything that has no lease to lose. */
  const writeOnce = <T>(body: () => T) => line.run('claim', claimBudget, () => tryTransaction(body));
  const read = <T>(body: () => T) => line.read(claimBudget, () => tryRead(body));

  return {
    write: (patience, body) =>
      line.run(patience.rank, budgetOf(patience), () => tryTransaction(() => body(tx, now()))),
    page: (after, limit) => read(() => queries.page(after, limit)),
    newest: (key) => read(() => entryQueries.newest(key)),
    versions: (key, before, limit) => read(() => entryQueries.versions(key, before, limit)),
    live: (prefix, after, limit) => read(() => entryQueries.live(prefix, after, limit)),
    eventsAfter: (cursor, limit) => read(() => feed.after(cursor, limit)),
    async trim(beforeId) {
      while (await writeOnce(() => feed.trimSome(beforeId)));
    },
    tally: () => read(() => tallyOf(db, queries)),
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
      statements.event(nowMs, event.kind, key, event.author, null, event.generation);
    },
    countRefusal(code) {
      statements.count(REFUSED + code);
    },
  };
}

/** Both tables in one snapshot. */
function tallyOf(db: Database.Database, queries: Queries): Tally {
  return db.transaction(() => {
    const events = new Map<string, number>();
    const refusals = new Map<RefusalCode, number>();
    const add = (kind: string, count: number) => events.set(kind, (events.get(kind) ?? 0) + count);
    for (const { kind, count } of queries.eventCounts()) add(kind, count);
    for (const { name, value } of queries.counters()) {
      if (name.startsWith(REFUSED)) refusals.set(name.slice(REFUSED.length) as RefusalCode, value);
      if (name.startsWith(TRIMMED)) add(name.slice(TRIMMED.length), value);
    }
    return { events, refusals };
  })();
}
