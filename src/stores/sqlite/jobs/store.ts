/** The job store on an SQLite file: for the processes of one host, one connection each. */
import type {
  JobPage,
  JobPageRequest,
  JobStore,
  StoredJob,
  UnreadableJob,
  WriteCondition,
} from '../../../jobs/store.ts';
import { mustChangeOne } from '../must-change.ts';
import { openJobsFile, type SqliteJobStoreOptions } from './connection.ts';
import type { InstanceStatements } from './instances.ts';
import { type Columns, recordOf } from './row.ts';
import { type JobStatements, prepareJobStatements } from './statements.ts';

/**
 * Opens a file of jobs. Calls answer at once while the write lock is free, and wait up to 5 s for it.
 *
 * @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`, `STORE_FAILED`, `INVALID_ARGUMENT`; from the methods
 * `STORE_BUSY` and `STORE_CLOSED`, both definite, and `STORE_FAILED`
 * @example
 * const store = createSqliteJobStore({ file: 'runs/background_jobs.db' });
 */
export function createSqliteJobStore(options: SqliteJobStoreOptions): JobStore {
  const { db, now, instances, instanceStore, write, read, close } = openJobsFile(options);
  const statements = prepareJobStatements(db);
  return {
    ...instanceStore,
    upsert: (record, condition, by) =>
      write(() => {
        if (!holds(statements, instances, record.jobId, condition)) return false;
        const changes = condition.ifRevision === 0 ? statements.insert(record) : statements.update(record);
        mustChangeOne(changes, `job ${record.jobId}`);
        instances.beat(by, now());
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
        if (pruned < limit) instances.prune(beforeMs);
        return pruned;
      }),
    close,
  };
}

function holds(
  statements: JobStatements,
  instances: InstanceStatements,
  jobId: string,
  { ifRevision, ifHeartbeat }: WriteCondition,
): boolean {
  if ((statements.revision(jobId) ?? 0) !== ifRevision) return false;
  if (ifHeartbeat === undefined) return true;
  return (instances.find(ifHeartbeat.instance)?.heartbeatAtMs ?? null) === ifHeartbeat.atMs;
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
