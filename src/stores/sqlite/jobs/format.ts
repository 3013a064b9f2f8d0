/** The tables of a file of background jobs (spec/jobs.md D2). */
import { CLOCK_ANCHORS } from '../clock.ts';
import type { FileFormat } from '../format.ts';

/** Jobs that a reconcile looks at. A query has to repeat it word for word to use the partial index. */
export const UNRECONCILED = `(status IN ('pending', 'running')
  OR (status IN ('completed', 'failed') AND delivered = 0 AND origin <> '{}'))`;

/** Outbound entries that are still to be sent. Repeated word for word as well. */
export const UNSENT = `state NOT IN ('sent', 'permanent-failure')`;

/**
 * Why it looks like this:
 *
 * - `seq` is the order of insertion, which orders jobs of one instant.
 * - `result` is JSON of what the job returned; where JSON cannot carry that, `not_serialisable` says so and holds a text form.
 *   Both are NULL when it returned nothing.
 * - `revision` rises with every write, and every write names the one that it replaces.
 * - The heartbeat of an owner is in one row for the instance, not in each of its jobs: a sign of life costs the same with ten thousand jobs.
 *   A job always has an owner; one whose instance is unknown is an orphan, and found by its state, not by its lease.
 * - `delivery_attempts` and `delivery_error` sum up `deliveries`, for people who look with a tool of their own.
 */
const SCHEMA = `
CREATE TABLE background_jobs (
  seq INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled', 'lost')),
  created_at_ms REAL NOT NULL,
  started_at_ms REAL,
  completed_at_ms REAL,
  result TEXT,
  not_serialisable TEXT,
  error TEXT,
  origin TEXT NOT NULL,
  delivered INTEGER NOT NULL CHECK (delivered IN (0, 1)),
  deliveries TEXT NOT NULL,
  delivery_attempts INTEGER NOT NULL,
  delivery_error TEXT,
  owner TEXT NOT NULL,
  deliverer TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX background_jobs_status ON background_jobs (status, created_at_ms, seq);
CREATE INDEX background_jobs_created ON background_jobs (created_at_ms, seq);
CREATE INDEX background_jobs_unreconciled ON background_jobs (created_at_ms, seq) WHERE ${UNRECONCILED};
CREATE TABLE job_instances (
  id TEXT PRIMARY KEY,
  heartbeat_at_ms REAL NOT NULL,
  ended INTEGER NOT NULL CHECK (ended IN (0, 1)),
  boot_id TEXT,
  pid_namespace TEXT,
  pid INTEGER,
  start_ticks TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE outbound (
  seq INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  lane TEXT NOT NULL,
  payload TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('pending', 'sending', 'recovered', 'sent', 'failed', 'permanent-failure')),
  created_at_ms REAL NOT NULL,
  due_at_ms REAL NOT NULL,
  claimed_at_ms REAL,
  settled_at_ms REAL,
  attempts INTEGER NOT NULL,
  error TEXT,
  possible_duplicate INTEGER NOT NULL CHECK (possible_duplicate IN (0, 1)),
  sender TEXT,
  revision INTEGER NOT NULL
) STRICT;
CREATE INDEX outbound_unsent ON outbound (seq) WHERE ${UNSENT};
CREATE INDEX outbound_lane ON outbound (lane, seq) WHERE ${UNSENT};
CREATE INDEX outbound_settled ON outbound (settled_at_ms) WHERE settled_at_ms IS NOT NULL;
${CLOCK_ANCHORS}`;

/** The file of a job store: "FenJ". */
export const JOBS_FORMAT: FileFormat = {
  what: 'a file of background jobs',
  applicationId: 0x46656e4a,
  version: 1,
  schema: SCHEMA,
  tables: ['background_jobs', 'job_instances', 'outbound', 'clock_anchors'],
  instants: [
    'SELECT max(created_at_ms) FROM background_jobs',
    'SELECT max(started_at_ms) FROM background_jobs',
    'SELECT max(completed_at_ms) FROM background_jobs',
    'SELECT max(heartbeat_at_ms) FROM job_instances',
    'SELECT max(created_at_ms) FROM outbound',
    'SELECT max(claimed_at_ms) FROM outbound',
    'SELECT max(settled_at_ms) FROM outbound',
  ],
};
