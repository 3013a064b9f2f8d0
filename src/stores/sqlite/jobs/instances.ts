/** The statements about instances, prepared once for a connection. */
import type Database from 'better-sqlite3';
import type { Instance, InstanceRecord } from '../../../jobs/store.ts';

type Columns = readonly [
  heartbeatAtMs: number,
  ended: number,
  bootId: string | null,
  pidNamespace: string | null,
  pid: number | null,
  startTicks: string | null,
];

/** The statements of one connection, as functions. */
export interface InstanceStatements {
  beat(instance: Instance, nowMs: number): void;
  end(id: string): void;
  find(id: string): InstanceRecord | undefined;
  /** Removes those last heard of before the instant that have nothing to finish. */
  prune(beforeMs: number): void;
}

/** Prepares them. */
export function prepareInstances(db: Database.Database): InstanceStatements {
  const beat = db.prepare(
    `INSERT INTO job_instances (id, heartbeat_at_ms, ended, boot_id, pid_namespace, pid, start_ticks) VALUES (?, ?, 0, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET heartbeat_at_ms = excluded.heartbeat_at_ms`,
  );
  const end = db.prepare('UPDATE job_instances SET ended = 1 WHERE id = ?');
  const find = db
    .prepare<[string], Columns>(
      'SELECT heartbeat_at_ms, ended, boot_id, pid_namespace, pid, start_ticks FROM job_instances WHERE id = ?',
    )
    .raw();
  const prune = db.prepare(
    `DELETE FROM job_instances WHERE heartbeat_at_ms < ?
       AND id NOT IN (SELECT owner FROM background_jobs WHERE status IN ('pending', 'running'))
       AND id NOT IN (SELECT deliverer FROM background_jobs WHERE deliverer IS NOT NULL)
       AND id NOT IN (SELECT sender FROM outbound WHERE sender IS NOT NULL)`,
  );
  return {
    beat({ id, process }, nowMs) {
      const { bootId = null, pidNamespace = null, pid = null, startTicks = null } = process ?? {};
      beat.run(id, nowMs, bootId, pidNamespace, pid, startTicks);
    },
    end: (id) => void end.run(id),
    find(id) {
      const found = find.get(id);
      if (found === undefined) return undefined;
      const [heartbeatAtMs, ended, bootId, pidNamespace, pid, startTicks] = found;
      const known = { id, heartbeatAtMs, ended: ended === 1 };
      if (bootId === null || pidNamespace === null || pid === null || startTicks === null) return known;
      return { ...known, process: { bootId, pidNamespace, pid, startTicks } };
    },
    prune: (beforeMs) => void prune.run(beforeMs),
  };
}
