/** The life of a job (spec/jobs.md D3): every change of a record, and what is refused. Pure. */
import type { JobRecord, JobStatus, Origin, StoredResult } from './job.ts';

/** What a job begins with. */
export interface NewJob {
  readonly jobId: string;
  readonly nowMs: number;
  readonly owner: string;
  readonly origin: Origin;
  /** Whom the result is for; none: the origin itself. Only with an origin. */
  readonly targets: readonly string[];
}

/** What can happen to a job that has not ended. */
export type Change =
  | { readonly kind: 'taken'; readonly nowMs: number }
  | {
      readonly kind: 'returned';
      readonly nowMs: number;
      readonly result: StoredResult;
      readonly deliverer: string | null;
    }
  | {
      readonly kind: 'threw';
      readonly nowMs: number;
      readonly error: string;
      readonly deliverer: string | null;
    }
  | { readonly kind: 'cancelled'; readonly nowMs: number }
  | { readonly kind: 'lost'; readonly nowMs: number };

const FROM: Readonly<Record<Change['kind'], readonly JobStatus[]>> = {
  taken: ['pending'],
  returned: ['running'],
  threw: ['running'],
  cancelled: ['pending'],
  lost: ['pending', 'running'],
};

/** Nothing happens any more to a job in these states. */
export const TERMINAL: readonly JobStatus[] = ['completed', 'failed', 'cancelled', 'lost'];

export const isTerminal = ({ status }: Pick<JobRecord, 'status'>): boolean => TERMINAL.includes(status);

/** A record that was never stored. */
export function newJob({ jobId, nowMs, owner, origin, targets }: NewJob): JobRecord {
  const named = Object.keys(origin).length === 0 ? [] : targets.length === 0 ? ['origin'] : targets;
  return {
    jobId,
    status: 'pending',
    createdAtMs: nowMs,
    startedAtMs: null,
    completedAtMs: null,
    result: null,
    error: null,
    origin,
    delivered: false,
    deliveries: named.map((target) => ({ target, state: 'owed', attempts: 0, error: null })),
    owner,
    deliverer: null,
    revision: 1,
  };
}

/** The record after the change. Undefined: refused, since the job is not in a state that the change begins from. */
export function after(record: JobRecord, change: Change): JobRecord | undefined {
  if (!FROM[change.kind].includes(record.status)) return undefined;
  const next = { ...record, revision: record.revision + 1 };
  if (change.kind === 'taken')
    return { ...next, status: 'running', startedAtMs: notBefore(record, change.nowMs) };
  const ended = { ...next, completedAtMs: notBefore(record, change.nowMs) };
  switch (change.kind) {
    case 'returned':
      return { ...ended, status: 'completed', result: change.result, deliverer: change.deliverer };
    case 'threw':
      return { ...ended, status: 'failed', error: change.error, deliverer: change.deliverer };
    case 'cancelled':
      return { ...ended, status: 'cancelled' };
    case 'lost':
      return { ...ended, status: 'lost' };
  }
}

/** A clock that stepped back makes no job that ended before it began. */
const notBefore = ({ createdAtMs, startedAtMs }: JobRecord, nowMs: number): number =>
  Math.max(nowMs, startedAtMs ?? createdAtMs);

/** Whether two records say the same: how a write whose answer was lost is recognised. */
export const isSame = (one: JobRecord, other: JobRecord): boolean => comparable(one) === comparable(other);

function comparable({
  jobId,
  status,
  completedAtMs,
  delivered,
  deliveries,
  owner,
  deliverer,
  revision,
}: JobRecord): string {
  return JSON.stringify([jobId, status, completedAtMs, delivered, deliveries, owner, deliverer, revision]);
}
