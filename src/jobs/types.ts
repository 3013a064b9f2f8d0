/** What a caller of background jobs sees. Types only. */
import type { Clock } from '../clock.ts';
import type { JobInfo, JobStatus, Origin } from './job.ts';
import type { ProcessProbe } from './process-probe.ts';
import type { JobStore } from './store.ts';

/** What a job's function is given. */
export interface JobContext {
  readonly jobId: string;
  /** Aborted by the time limit, by a shutdown that does not wait, and when the job turns out to be lost already. */
  readonly signal: AbortSignal;
}

/** The work of a job. What it returns is the result; what it throws, the error. */
export type JobFunction = (context: JobContext) => unknown;

/**
 * Tells the caller of a job how it ended. `false`, a rejection or a throw: not told. Anything else: told.
 *
 * @param value what the function returned, also where JSON cannot carry it; undefined after a failure
 */
export type OnComplete = (job: JobInfo, value: unknown) => unknown;

/** Which attempt at which target. */
export interface DeliveryContext {
  readonly target: string;
  /** From 1. */
  readonly attempt: number;
  /** Aborted when the attempt has taken too long. */
  readonly signal: AbortSignal;
}

/**
 * Hands the result of a job back to one target. Called at least once for each, so it has to be idempotent. `false`, a rejection or a throw: not
 * delivered, tried again; `retryAfterMs` on what is thrown asks for a longer pause. `{ giveUp: why }`: it will never succeed. Anything else: delivered.
 */
export type DeliverBack = (job: JobInfo, context: DeliveryContext) => unknown;

/** Options of `createJobManager`. */
export interface JobManagerOptions {
  /** Keeps the jobs. Without one they live in memory and die with the process. @default none */
  readonly store?: JobStore;
  /** Jobs that run at once. @default 4 */
  readonly maxWorkers?: number;
  /** Hands results back: at once when a job with an origin ends, again after failures, and what earlier processes left. @default none */
  readonly deliver?: DeliverBack;
  /** Whether origins are told of lost jobs too. @default false */
  readonly deliverLost?: boolean;
  /** How long one attempt of `deliver` or `onComplete` may take, in ms. @default 60_000 */
  readonly deliveryTimeoutMs?: number;
  /** Pause between two signs of life, in ms. @default 5000 */
  readonly heartbeatMs?: number;
  /** An instance that was silent for so long is taken for dead, in ms. More than twice `heartbeatMs`. @default 15_000 */
  readonly staleAfterMs?: number;
  /** Hears what happens. Without one, warnings go to `process.emitWarning`. */
  readonly observe?: (notice: JobNotice) => void;
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Spreads pauses, 0 <= x < 1. @default `Math.random` */
  readonly random?: () => number;
  /** Makes ids: 128 random bits. @default `crypto.randomBytes` */
  readonly uniqueId?: () => string;
  /** Tells which processes are gone. @default /proc, where there is one */
  readonly processes?: ProcessProbe;
}

/** How one job is started. */
export interface StartOptions {
  /** @default 128 random bits */
  readonly id?: string;
  /** Called once when the job has completed or failed, after that was stored. */
  readonly onComplete?: OnComplete;
  /** Where the job came from. Not empty: its result is owed, and `deliver` hands it back. @default empty */
  readonly origin?: Origin;
  /** Several receivers with a mark each; needs an origin. @default one, called `origin` */
  readonly targets?: readonly string[];
  /** Whether the start fails when the pending record cannot be stored. @default false */
  readonly strict?: boolean;
  /** The job fails when it runs longer, in ms. @default none */
  readonly timeLimitMs?: number;
}

/** Something that an observer may want to know. */
export type JobNotice =
  /** A job came to an end, whether or not anybody is to be told. */
  | { readonly kind: 'ended'; readonly job: JobInfo }
  | { readonly kind: 'delivered'; readonly job: JobInfo }
  /** An attempt failed. It is tried again. */
  | { readonly kind: 'undelivered'; readonly job: JobInfo; readonly target: string; readonly error: string }
  /** This process had been taken for dead: the stored record stays as somebody else wrote it. `late`: the job had come to an end here. */
  | { readonly kind: 'fenced'; readonly job: JobInfo; readonly late: boolean }
  | { readonly kind: 'warning'; readonly message: string; readonly jobId?: string };

/** What went wrong so far. Counts of this manager's life. */
export interface JobHealth {
  /** Writes that failed; each was tried again. */
  readonly writeFailures: number;
  /** Jobs whose newest state is not in the store yet. */
  readonly unwritten: number;
  readonly heartbeatFailures: number;
  /** Jobs that others had marked as lost while they were here. */
  readonly fenced: number;
  /** Those of them that came to an end here. */
  readonly lateFinishes: number;
  /** Attempts at a delivery that failed. */
  readonly deliveryFailures: number;
  /** Jobs that wait for another attempt. */
  readonly waitingForDelivery: number;
  /** What the last failure said. */
  readonly lastError?: string;
}

/** Why a job was not started. */
export interface JobRefusal {
  readonly code: 'duplicate' | 'closed';
  readonly message: string;
}

export type StartOutcome =
  | { readonly accepted: true; readonly value: { readonly jobId: string } }
  | { readonly accepted: false; readonly refusal: JobRefusal };

/** What a reconcile did. */
export interface ReconcileCounts {
  /** Jobs of dead processes, now marked as lost. */
  readonly lost: number;
  /** Jobs whose result was handed back. */
  readonly redelivered: number;
  /** All jobs that were loaded: the lost ones, and those that owed a delivery. */
  readonly rehydrated: number;
}

/** Runs functions in the background and records every change of their state. Work is never run again by itself. */
export interface JobManager {
  /** Names this manager in the store. */
  readonly instanceId: string;

  /**
   * Stores the job as pending, then queues it.
   *
   * @throws FencepostError `INVALID_ARGUMENT`; with `strict`, the failure of the store
   */
  startJob(work: JobFunction, options?: StartOptions): Promise<StartOutcome>;

  /** @throws FencepostError `JOB_UNKNOWN`, failures of the store */
  getStatus(jobId: string): Promise<JobStatus>;

  /** @throws FencepostError `JOB_UNKNOWN`, failures of the store */
  getJobInfo(jobId: string): Promise<JobInfo>;

  /**
   * What the job returned. Waits for a job of this process; of another process's live job it looks again until it has ended.
   *
   * @throws FencepostError `JOB_UNKNOWN`, `JOB_FAILED`, `JOB_LOST`, `JOB_CANCELLED`, `JOB_TIMEOUT`, `JOB_RESULT_TEXT`,
   * `JOBS_CLOSED`, failures of the store
   */
  getResult(
    jobId: string,
    options?: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<unknown>;

  /** Cancels a pending job of this manager. False: it is unknown here, or has begun. */
  cancelJob(jobId: string): Promise<boolean>;

  /** All jobs, also those of earlier and other processes; oldest first. */
  listJobs(status?: JobStatus): Promise<readonly JobInfo[]>;

  /**
   * Marks jobs of dead processes as lost, and hands back what is owed, oldest first. May be called again at any time.
   *
   * @param deliver from now on the manager's handler. @default the one it has
   */
  reconcileOnStart(deliver?: DeliverBack): Promise<ReconcileCounts>;

  /** Forgets terminal jobs that ended more than `maxAgeMs` ago, in memory only; answers how many. @default 3_600_000 */
  cleanupCompleted(maxAgeMs?: number): Promise<number>;

  /** The same in the store, and in memory. Never removes a job that owes a delivery. */
  prune(maxAgeMs: number): Promise<number>;

  /**
   * No new jobs from now on. Waits for running and queued ones; without waiting, or after `graceMs`, queued jobs are cancelled, running ones are told
   * to stop, and are lost at the next reconcile. Does not close the store.
   */
  shutdown(options?: { readonly wait?: boolean; readonly graceMs?: number }): Promise<void>;

  /** Pending and running jobs of this manager. */
  readonly activeJobs: number;

  health(): JobHealth;
}
