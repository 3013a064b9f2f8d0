/** Who is still to be told of a job, and how often it was tried (spec/jobs.md D4-5, 8, 9, 13, 26). Pure. */
import type { Delivery, JobRecord, JobStatus } from './job.ts';
import { isTerminal } from './rules.ts';
import type { Owing } from './store.ts';

/** What came of one attempt. */
export type Attempt =
  | { readonly state: 'delivered' }
  /** Tried again later. `retryAfterMs`: the receiver asked for at least this pause. */
  | { readonly state: 'owed'; readonly error: string; readonly retryAfterMs?: number }
  | { readonly state: 'given-up'; readonly error: string };

/** Jobs in these states are handed back. Of a cancelled one nobody is told. */
export const deliverable = ({ lost }: Owing): readonly JobStatus[] =>
  lost ? ['completed', 'failed', 'lost'] : ['completed', 'failed'];

/** Whether the record owes somebody a word. */
export function owes(record: JobRecord, owing: Owing): boolean {
  return (
    !record.delivered && Object.keys(record.origin).length > 0 && deliverable(owing).includes(record.status)
  );
}

/** Whether a reconcile has to look at it. */
export const isUnreconciled = (record: JobRecord, owing: Owing): boolean =>
  !isTerminal(record) || owes(record, owing);

/** Whether a prune may remove it. */
export const mayPrune = (record: JobRecord, completedBeforeMs: number, owing: Owing): boolean =>
  isTerminal(record) &&
  record.completedAtMs !== null &&
  record.completedAtMs < completedBeforeMs &&
  !owes(record, owing);

/** The record in the hands of a deliverer. */
export const claimed = (record: JobRecord, deliverer: string): JobRecord => ({
  ...record,
  deliverer,
  revision: record.revision + 1,
});

/** The targets that are still owed, in their order. */
export const owedTargets = (record: JobRecord): readonly Delivery[] =>
  record.deliveries.filter(({ state }) => state === 'owed');

/** The record after an attempt at one target. After the last one that is owed it is in nobody's hands. */
export function attempted(record: JobRecord, target: string, attempt: Attempt, more: boolean): JobRecord {
  const deliveries = record.deliveries.map((delivery) =>
    delivery.target === target && delivery.state === 'owed' ? settle(delivery, attempt) : delivery,
  );
  return settled(record, deliveries, more);
}

/** The record after `onComplete`, which speaks for all targets at once. */
export function calledBack(record: JobRecord, attempt: Attempt): JobRecord {
  const deliveries = record.deliveries.map((delivery) => settle(delivery, attempt));
  if (deliveries.length > 0) return settled(record, deliveries, false);
  return { ...record, delivered: attempt.state !== 'owed', deliverer: null, revision: record.revision + 1 };
}

function settled(record: JobRecord, deliveries: readonly Delivery[], more: boolean): JobRecord {
  return {
    ...record,
    deliveries,
    delivered: deliveries.every(({ state }) => state !== 'owed'),
    deliverer: more ? record.deliverer : null,
    revision: record.revision + 1,
  };
}

function settle(delivery: Delivery, attempt: Attempt): Delivery {
  const error = attempt.state === 'delivered' ? delivery.error : attempt.error;
  return { ...delivery, state: attempt.state, attempts: delivery.attempts + 1, error };
}

/** How often it was tried, the target that was tried most counting; and what went wrong last. */
export function attemptsOf({ deliveries }: Pick<JobRecord, 'deliveries'>): {
  readonly attempts: number;
  readonly error: string | null;
} {
  return {
    attempts: Math.max(0, ...deliveries.map(({ attempts }) => attempts)),
    error: deliveries.findLast(({ error }) => error !== null)?.error ?? null,
  };
}
