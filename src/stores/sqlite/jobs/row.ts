/** Rows of `background_jobs` to records and back. Text that is no JSON reads as nothing (spec/jobs.md D2). */
import type {
  Delivery,
  JobRecord,
  JobStatus,
  NotSerialisable,
  Origin,
  StoredResult,
} from '../../../jobs/job.ts';
import { attemptsOf } from '../../../jobs/owing.ts';
import type { StoredJob } from '../../../jobs/store.ts';

/** In the order of `Columns`. */
export const COLUMNS = `seq, job_id, status, created_at_ms, started_at_ms, completed_at_ms, result, not_serialisable, error,
  origin, delivered, deliveries, owner, deliverer, revision`;

export type Columns = readonly [
  seq: number,
  jobId: string,
  status: JobStatus,
  createdAtMs: number,
  startedAtMs: number | null,
  completedAtMs: number | null,
  result: string | null,
  notSerialisable: string | null,
  error: string | null,
  origin: string,
  delivered: number,
  deliveries: string,
  owner: string,
  deliverer: string | null,
  revision: number,
];

/** What an INSERT or UPDATE is given, by name. */
export function parametersOf(record: JobRecord): Record<string, string | number | null> {
  const { result, origin, delivered, deliveries, ...plain } = record;
  const { attempts, error } = attemptsOf(record);
  return {
    ...plain,
    result: result !== null && 'value' in result ? JSON.stringify(result.value) : null,
    notSerialisable: result !== null && 'notSerialisable' in result ? JSON.stringify(result) : null,
    origin: JSON.stringify(origin),
    delivered: delivered ? 1 : 0,
    deliveries: JSON.stringify(deliveries),
    deliveryAttempts: attempts,
    deliveryError: error,
  };
}

/**
 * The record of a row.
 *
 * @throws Error saying what cannot be read: an instant that is no number, a revision that is none, deliveries that are none
 */
export function recordOf(columns: Columns): StoredJob {
  const [seq, jobId, status, createdAtMs, startedAtMs, completedAtMs, result, notSerialisable] = columns;
  const [, , , , , , , , error, origin, delivered, deliveries, owner, deliverer, revision] = columns;
  for (const [name, instant] of Object.entries({ createdAtMs, startedAtMs, completedAtMs })) {
    if (instant !== null && !Number.isFinite(instant))
      throw new Error(`Expected ${name} to be an instant, found ${instant}.`);
  }
  if (!Number.isSafeInteger(revision) || revision < 1) {
    throw new Error(`Expected a revision from 1 on, found ${revision}.`);
  }
  return {
    seq,
    jobId,
    status,
    createdAtMs,
    startedAtMs,
    completedAtMs,
    result: resultOf(result, notSerialisable),
    error,
    origin: originOf(origin),
    delivered: delivered === 1,
    deliveries: deliveriesOf(deliveries),
    owner,
    deliverer,
    revision,
  };
}

function resultOf(result: string | null, marker: string | null): StoredResult {
  if (marker !== null) return (parsed(marker) as NotSerialisable | undefined) ?? null;
  if (result === null) return null;
  const value = parsed(result);
  return value === undefined ? null : { value: value as never };
}

function originOf(text: string): Origin {
  const origin = parsed(text);
  return isObject(origin) ? (origin as Origin) : {};
}

function deliveriesOf(text: string): readonly Delivery[] {
  const deliveries = parsed(text);
  if (Array.isArray(deliveries) && deliveries.every((one) => isObject(one) && 'target' in one)) {
    return deliveries as unknown as readonly Delivery[];
  }
  throw new Error('Expected a list of deliveries, found something else.');
}

/** Undefined: no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
