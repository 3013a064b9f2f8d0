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
    // Of a lost job nobody knows how long it ran: it was marked some time after its process had ended.
    ...(startedAtMs === null || completedAtMs === null || status === 'lost'
      ? {}
      : { durationMs: completedAtMs - startedAtMs }),
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
