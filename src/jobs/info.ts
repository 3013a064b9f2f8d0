/** What a caller sees of a record. Pure. */
import type { JobInfo, JobRecord } from './job.ts';

export function infoOf(record: JobRecord): JobInfo {
  const { jobId, status, createdAtMs, startedAtMs, completedAtMs, result, error } = record;
  const { origin, delivered, deliveries, owner, revision } = record;
  return {
    jobId,
    status,
    createdAtMs,
    ...(startedAtMs === null ? {} : { startedAtMs }),
    ...(completedAtMs === null ? {} : { completedAtMs }),
    ...(startedAtMs === null || completedAtMs === null ? {} : { durationMs: completedAtMs - startedAtMs }),
    ...(result !== null && 'value' in result ? { result: result.value } : {}),
    ...(result !== null && 'notSerialisable' in result ? { notSerialisable: result } : {}),
    ...(error === null ? {} : { error }),
    origin,
    delivered,
    deliveries,
    owner,
    revision,
  };
}
