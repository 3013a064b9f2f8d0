/** The JobStore protocol: what a manager needs of whatever keeps its jobs (spec/jobs.md D2). Types only. */
import type { Awaitable } from '../store.ts';
import type { JobRecord, JobStatus } from './job.ts';

/** Names one life of one process. */
export interface ProcessIdentity {
  readonly bootId: string;
  /** Pids compare only within one pid namespace. */
  readonly pidNamespace: string;
  readonly pid: number;
  /** When the process started, in the kernel's ticks: pids are used again, pairs of pid and start are not. */
  readonly startTicks: string;
}

/** A manager: what owns jobs. The id is never used again. */
export interface Instance {
  readonly id: string;
  /** Absent where the system does not tell. */
  readonly process?: ProcessIdentity;
}

/** What a store knows of an instance. */
export interface InstanceRecord extends Instance {
  readonly heartbeatAtMs: number;
  /** It was shut down in order, and finishes nothing any more. */
  readonly ended: boolean;
}

/** What must hold in the store for a write to be made. */
export interface WriteCondition {
  /** The stored revision. 0: there is no record of that id. */
  readonly ifRevision: number;
  /** This instance has not sent a heartbeat since. `null`: the store knows no such instance. */
  readonly ifHeartbeat?: { readonly instance: string; readonly atMs: number | null };
}

/** Where a page begins: behind this record. */
export interface JobCursor {
  readonly createdAtMs: number;
  readonly seq: number;
}

/** A record that a store has listed, with its place in the order of insertion. */
export interface StoredJob extends JobRecord {
  readonly seq: number;
}

/** A record that cannot be read. */
export interface UnreadableJob {
  readonly jobId: string;
  readonly problem: string;
}

/** A page in ascending `createdAtMs`, ties by insertion. `next` is absent on the last one. */
export interface JobPage {
  readonly jobs: readonly StoredJob[];
  readonly unreadable: readonly UnreadableJob[];
  readonly next?: JobCursor;
}

export interface JobPageRequest {
  readonly after?: JobCursor;
  readonly limit: number;
}

/** Whether jobs that were lost owe their origin a word (`deliverLost` of the manager). */
export interface Owing {
  readonly lost: boolean;
}

/** Keeps the signs of life of instances. */
export interface InstanceStore {
  /** `network`: processes on several hosts use it, so nobody's pid says anything. */
  readonly sharedBy: 'process' | 'host' | 'network';
  /** The clock of every instant in the records. */
  nowMs(): Awaitable<number>;
  /** A sign of life, at the store's now. */
  beat(instance: Instance): Awaitable<void>;
  /** The last word of an instance. */
  end(instance: string): Awaitable<void>;
  instance(id: string): Awaitable<InstanceRecord | undefined>;
}

/**
 * Keeps jobs. Every method is atomic, safe under concurrent calls, and may answer at once or with a promise; a failure is
 * thrown, with `definite: true` on it when the call certainly had no effect.
 */
export interface JobStore extends InstanceStore {
  /**
   * Writes the record if the condition holds, and counts as a heartbeat of `by` in the same step. False: the condition
   * did not hold, and nothing was written.
   */
  upsert(record: JobRecord, condition: WriteCondition, by: Instance): Awaitable<boolean>;
  get(jobId: string): Awaitable<StoredJob | undefined>;
  /** Pending and running jobs, and those that owe a delivery. */
  listUnreconciled(page: JobPageRequest, owing: Owing): Awaitable<JobPage>;
  /** All jobs, or those in one state. */
  list(status: JobStatus | undefined, page: JobPageRequest): Awaitable<JobPage>;
  /**
   * Removes terminal jobs that ended before the instant and owe nothing, at most `limit`; and instances that were last heard of
   * before it and have no job. Answers how many jobs.
   */
  prune(completedBeforeMs: number, limit: number, owing: Owing): Awaitable<number>;
  close(): Awaitable<void>;
}
