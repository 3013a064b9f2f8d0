/** The job store on an SQLite file: for the processes of one host, one connection each. */
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../../../clock.ts';
import { invalidArgument } from '../../../errors.ts';
import type {
  JobPage,
  JobPageRequest,
  JobStore,
  StoredJob,
  UnreadableJob,
  WriteCondition,
} from '../../../jobs/store.ts';
import { anchoredNow } from '../clock.ts';
import { closedError, engineError } from '../errors.ts';
import { WaitingLine } from '../line.ts';
import { mustChangeOne } from '../must-change.ts';
import { type Durability, finishOpening, IN_MEMORY, openDatabase } from '../open.ts';
import { createTransactions, type PausePoint, tryRead } from '../transaction.ts';
import { JOBS_FORMAT } from './format.ts';
import { type Columns, recordOf } from './row.ts';
import { type JobStatements, prepareJobStatements } from './statements.ts';

const BUDGET_MS = 5000;

/** Options of `createSqliteJobStore`. */
export interface SqliteJobStoreOptions {
  /** The database file, or `:memory:` for one that dies with this object. Made when it is not there, its folder too. */
  readonly file: string;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** What survives. @default 'process-crash' */
  readonly durability?: Durability;
  /** Called inside each write transaction, at `begun` and at `written`; for tests that stop a process there. */
  readonly pausePoint?: PausePoint | undefined;
}

/**
 * Opens a file of jobs. Calls answer at once while the write lock is free, and wait up to 5 s for it.
 *
 * @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FAILED`, `INVALID_ARGUMENT`; from the methods
 * `STORE_BUSY` and `STORE_CLOSED`, both definite, and `STORE_FAILED`
 * @example
 * const store = createSqliteJobStore({ file: 'runs/background_jobs.db' });
 */
export function createSqliteJobStore(options: SqliteJobStoreOptions): JobStore {
  const { file, clock = systemClock, durability = 'process-crash', pausePoint } = options;
  if (typeof file !== 'string' || file === '') throw invalidArgument('file', 'the path of a file', file);
  if (file !== IN_MEMORY) makeFolder(dirname(file));
  const db = openDatabase(file, durability, JOBS_FORMAT);
  try {
    const now = anchoredNow(db, clock, JOBS_FORMAT);
    finishOpening(db);
    const statements = prepareJobStatements(db);
    const attempt = createTransactions(db, pausePoint);
    const line = new WaitingLine(clock, file);
    const budget = () => BUDGET_MS;
    // Whoever is waited for longest comes first: no call here has a lease to lose, save heartbeats.
    const write = <T>(body: () => T) => line.run('claim', budget, () => attempt(body));
    const read = <T>(body: () => T) => line.read(budget, () => tryRead(body));

    return {
      sharedBy: file === IN_MEMORY ? 'process' : 'host',
      nowMs() {
        if (!db.open) throw closedError(file);
        return now();
      },
      upsert: (record, condition, by) =>
        write(() => {
          if (!holds(statements, record.jobId, condition)) return false;
          const changes = condition.ifRevision === 0 ? statements.insert(record) : statements.update(record);
          mustChangeOne(changes, `job ${record.jobId}`);
          statements.beat(by, now());
          return true;
        }),
      get: (jobId) =>
        read(() => {
          const columns = statements.row(jobId);
          return columns === undefined ? undefined : recordOf(columns);
        }),
      listUnreconciled: (page, { lost }) =>
        read(() => pageOf(lost ? merged(statements, page) : statements.unreconciled(page), page)),
      list: (status, page) => read(() => pageOf(statements.all(status, page), page)),
      prune: (beforeMs, limit, owing) =>
        write(() => {
          const pruned = statements.prune(beforeMs, limit, owing);
          if (pruned < limit) statements.pruneInstances(beforeMs);
          return pruned;
        }),
      beat: (by) => line.run('holder', budget, () => attempt(() => statements.beat(by, now()))),
      end: (id) => write(() => statements.end(id)),
      instance: (id) => read(() => statements.instance(id)),
      close() {
        line.close();
        db.close();
      },
    };
  } catch (error) {
    db.close();
    throw engineError(error, `Opening ${file}`, true);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw engineError(error, `Making the folder ${folder}`, true);
  }
}

function holds(
  statements: JobStatements,
  jobId: string,
  { ifRevision, ifHeartbeat }: WriteCondition,
): boolean {
  if ((statements.revision(jobId) ?? 0) !== ifRevision) return false;
  if (ifHeartbeat === undefined) return true;
  return (statements.instance(ifHeartbeat.instance)?.heartbeatAtMs ?? null) === ifHeartbeat.atMs;
}

/** Unreconciled jobs and lost ones that owe a word, in one order. */
function merged(statements: JobStatements, page: JobPageRequest): readonly Columns[] {
  return [...statements.unreconciled(page), ...statements.lostOwing(page)]
    .sort((a, b) => a[3] - b[3] || a[0] - b[0])
    .slice(0, page.limit);
}

function pageOf(rows: readonly Columns[], { limit }: JobPageRequest): JobPage {
  const jobs: StoredJob[] = [];
  const unreadable: UnreadableJob[] = [];
  for (const row of rows) {
    try {
      jobs.push(recordOf(row));
    } catch (error) {
      unreadable.push({ jobId: row[1], problem: error instanceof Error ? error.message : String(error) });
    }
  }
  const last = rows.at(-1);
  return {
    jobs,
    unreadable,
    ...(last === undefined || rows.length < limit ? {} : { next: { createdAtMs: last[3], seq: last[0] } }),
  };
}
