/** What is known of a job: as a store keeps it, and as a caller sees it. Types, and the words of the states. */
import type { Json } from '../store.ts';

/** `lost`: its process ended, or was taken for dead, before the job came to an end. Reached only by a reconcile. */
export type JobStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled' | 'lost';

export const JOB_STATUSES: readonly JobStatus[] = [
  'pending',
  'running',
  'completed',
  'failed',
  'cancelled',
  'lost',
];

/** Where a job came from and whom its result is for. Empty: nobody is told, the result is fetched. */
export type Origin = { readonly [key: string]: Json };

/** What is stored of a returned value. `null`: it returned nothing (`undefined`). */
export type StoredResult = { readonly value: Json } | NotSerialisable | null;

/** Stands in for a result that JSON cannot carry. */
export interface NotSerialisable {
  /** Why JSON cannot carry it. */
  readonly notSerialisable: string;
  /** The value as text, cut where it is long. */
  readonly text: string;
}

/** What one target of a job's result has got. */
export interface Delivery {
  /** A name that the handler understands. `origin` where the caller named none. */
  readonly target: string;
  /** `given-up`: the handler said that it will never succeed. */
  readonly state: 'owed' | 'delivered' | 'given-up';
  /** Attempts that were begun. */
  readonly attempts: number;
  /** What the last attempt that failed said. */
  readonly error: string | null;
}

/** A job as a store keeps it. Every write of it carries the next revision. Instants are on the store's clock. */
export interface JobRecord {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly createdAtMs: number;
  readonly startedAtMs: number | null;
  readonly completedAtMs: number | null;
  readonly result: StoredResult;
  readonly error: string | null;
  readonly origin: Origin;
  /** Every target has the result or was given up; without an origin: `onComplete` succeeded. */
  readonly delivered: boolean;
  /** One for each target; empty without an origin. */
  readonly deliveries: readonly Delivery[];
  /** The instance that runs it. */
  readonly owner: string;
  /** The instance that is handing its result back right now. */
  readonly deliverer: string | null;
  readonly revision: number;
}

/** A job as a caller sees it. */
export interface JobInfo {
  readonly jobId: string;
  readonly status: JobStatus;
  readonly createdAtMs: number;
  readonly startedAtMs?: number;
  readonly completedAtMs?: number;
  /** From start to end; absent of a job that runs, or is lost. */
  readonly durationMs?: number;
  readonly result?: Json;
  readonly notSerialisable?: NotSerialisable;
  readonly error?: string;
  readonly origin: Origin;
  readonly delivered: boolean;
  readonly deliveries: readonly Delivery[];
  readonly owner: string;
  readonly revision: number;
}
