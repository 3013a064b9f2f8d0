/** Every statement of a job store, prepared once for a connection. */
import type Database from 'better-sqlite3';
import type { JobRecord, JobStatus } from '../../../jobs/job.ts';
import { deliverable } from '../../../jobs/owing.ts';
import type { JobCursor, JobPageRequest, Owing } from '../../../jobs/store.ts';
import { LIMIT } from '../sql.ts';
import { UNRECONCILED } from './format.ts';
import { COLUMNS, type Columns, parametersOf } from './row.ts';

/** Lost jobs that owe a word; only where somebody wants to be told of them. */
const LOST_OWING = `status = 'lost' AND delivered = 0 AND origin <> '{}'`;
const BEHIND = `(created_at_ms, seq) > (?, ?) ORDER BY created_at_ms, seq ${LIMIT}`;
const START: JobCursor = { createdAtMs: Number.NEGATIVE_INFINITY, seq: 0 };

/** The statements of one connection, as functions. */
export interface JobStatements {
  row(jobId: string): Columns | undefined;
  revision(jobId: string): number | undefined;
  insert(record: JobRecord): number;
  update(record: JobRecord): number;
  unreconciled(page: JobPageRequest): readonly Columns[];
  lostOwing(page: JobPageRequest): readonly Columns[];
  all(status: JobStatus | undefined, page: JobPageRequest): readonly Columns[];
  prune(completedBeforeMs: number, limit: number, owing: Owing): number;
}

/** Prepares them. */
export function prepareJobStatements(db: Database.Database): JobStatements {
  const pages = (where: string, index = '') => {
    const statement = db
      .prepare<[...unknown[], number, number, number], Columns>(
        `SELECT ${COLUMNS} FROM background_jobs ${index} WHERE ${where} AND ${BEHIND}`,
      )
      .raw();
    return (before: readonly unknown[], { after = START, limit }: JobPageRequest) =>
      statement.all(...before, after.createdAtMs, after.seq, limit);
  };
  const row = db.prepare<[string], Columns>(`SELECT ${COLUMNS} FROM background_jobs WHERE job_id = ?`).raw();
  const revision = db
    .prepare<[string], number>('SELECT revision FROM background_jobs WHERE job_id = ?')
    .pluck();
  // Left to itself SQLite reads the whole history by status, and sorts it.
  const unreconciled = pages(UNRECONCILED, 'INDEXED BY background_jobs_unreconciled');
  const lostOwing = pages(LOST_OWING);
  const all = pages('1');
  const inState = pages('status = ?');
  const insert = db.prepare(
    `INSERT INTO background_jobs (job_id, status, created_at_ms, started_at_ms, completed_at_ms, result, not_serialisable,
       error, origin, delivered, deliveries, delivery_attempts, delivery_error, owner, deliverer, revision)
     VALUES (@jobId, @status, @createdAtMs, @startedAtMs, @completedAtMs, @result, @notSerialisable,
       @error, @origin, @delivered, @deliveries, @deliveryAttempts, @deliveryError, @owner, @deliverer, @revision)`,
  );
  const update = db.prepare(
    `UPDATE background_jobs SET status = @status, created_at_ms = @createdAtMs, started_at_ms = @startedAtMs,
       completed_at_ms = @completedAtMs, result = @result, not_serialisable = @notSerialisable, error = @error, origin = @origin,
       delivered = @delivered, deliveries = @deliveries, delivery_attempts = @deliveryAttempts,
       delivery_error = @deliveryError, owner = @owner, deliverer = @deliverer, revision = @revision
     WHERE job_id = @jobId`,
  );
  const prune = (statuses: readonly JobStatus[]) =>
    db.prepare(
      `DELETE FROM background_jobs WHERE seq IN (SELECT seq FROM background_jobs
         WHERE status IN ('completed', 'failed', 'cancelled', 'lost') AND completed_at_ms < ?
           AND NOT (delivered = 0 AND origin <> '{}' AND status IN (${statuses.map((one) => `'${one}'`).join(', ')}))
         ORDER BY seq ${LIMIT})`,
    );
  const pruneSilent = prune(deliverable({ lost: false }));
  const pruneTold = prune(deliverable({ lost: true }));

  return {
    row: (jobId) => row.get(jobId),
    revision: (jobId) => revision.get(jobId),
    insert: (record) => insert.run(parametersOf(record)).changes,
    update: (record) => update.run(parametersOf(record)).changes,
    unreconciled: (page) => unreconciled([], page),
    lostOwing: (page) => lostOwing([], page),
    all: (status, page) => (status === undefined ? all([], page) : inState([status], page)),
    prune: (beforeMs, limit, { lost }) => (lost ? pruneTold : pruneSilent).run(beforeMs, limit).changes,
  };
}
