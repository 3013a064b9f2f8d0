/** The job store in memory: the readable reference, and for jobs that need not survive. */
import { type Clock, systemClock } from '../../clock.ts';
import { FencepostError } from '../../errors.ts';
import type { JobRecord, JobStatus } from '../../jobs/job.ts';
import { isUnreconciled, mayPrune } from '../../jobs/owing.ts';
import { isTerminal } from '../../jobs/rules.ts';
import type {
  InstanceRecord,
  JobPage,
  JobPageRequest,
  JobStore,
  Owing,
  StoredJob,
  WriteCondition,
} from '../../jobs/store.ts';

/** What handles of one memory job store share. */
export interface MemoryJobData {
  readonly jobs: Map<string, StoredJob>;
  readonly instances: Map<string, InstanceRecord>;
  lastSeq: number;
  /** What the monotonic clock is to be read with; set by the first handle. */
  clockOffsetMs: number | undefined;
}

/** Options of `createMemoryJobStore`. */
export interface MemoryJobStoreOptions {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** Pass one to several calls to get several handles on the same jobs. @default empty */
  readonly data?: MemoryJobData;
}

/** An empty store's content. */
export const createMemoryJobData = (): MemoryJobData => ({
  jobs: new Map(),
  instances: new Map(),
  lastSeq: 0,
  clockOffsetMs: undefined,
});

/**
 * Makes a handle.
 *
 * @throws from the methods: FencepostError `STORE_CLOSED`, definite
 */
export function createMemoryJobStore(options: MemoryJobStoreOptions = {}): JobStore {
  const { clock = systemClock, data = createMemoryJobData() } = options;
  let closed = false;
  data.clockOffsetMs ??= Math.floor(clock.wallMs()) - Math.floor(clock.monotonicMs());
  const offsetMs = data.clockOffsetMs;
  const now = () => Math.floor(clock.monotonicMs()) + offsetMs;

  function open(): MemoryJobData {
    if (!closed) return data;
    throw new FencepostError('STORE_CLOSED', 'Expected the job store to be open, found it closed.', {
      definite: true,
    });
  }
  const page = (matches: (job: JobRecord) => boolean, request: JobPageRequest) =>
    pageOf([...open().jobs.values()].filter(matches), request);

  return {
    sharedBy: 'process',
    nowMs: now,
    upsert(record, condition, by) {
      const { jobs, instances } = open();
      if (!holds(data, record.jobId, condition)) return false;
      const stored = jobs.get(record.jobId);
      if (stored === undefined) data.lastSeq += 1;
      // A copy: what a caller changes later must not reach into the store.
      jobs.set(record.jobId, { ...structuredClone(record), seq: stored?.seq ?? data.lastSeq });
      instances.set(by.id, { ...by, heartbeatAtMs: now(), ended: instances.get(by.id)?.ended ?? false });
      return true;
    },
    get: (jobId) => copyOf(open().jobs.get(jobId)),
    listUnreconciled: (request, owing) => page((job) => isUnreconciled(job, owing), request),
    list: (status: JobStatus | undefined, request) =>
      page((job) => status === undefined || job.status === status, request),
    prune: (beforeMs, limit, owing) => prune(open(), beforeMs, limit, owing),
    beat(by) {
      const { instances } = open();
      instances.set(by.id, { ...by, heartbeatAtMs: now(), ended: instances.get(by.id)?.ended ?? false });
    },
    end(id) {
      const { instances } = open();
      const instance = instances.get(id);
      if (instance !== undefined) instances.set(id, { ...instance, ended: true });
    },
    instance: (id) => open().instances.get(id),
    close() {
      closed = true;
    },
  };
}

function holds(data: MemoryJobData, jobId: string, { ifRevision, ifHeartbeat }: WriteCondition): boolean {
  if ((data.jobs.get(jobId)?.revision ?? 0) !== ifRevision) return false;
  return (
    ifHeartbeat === undefined ||
    (data.instances.get(ifHeartbeat.instance)?.heartbeatAtMs ?? null) === ifHeartbeat.atMs
  );
}

const copyOf = (job: StoredJob | undefined): StoredJob | undefined =>
  job === undefined ? undefined : structuredClone(job);

function pageOf(jobs: readonly StoredJob[], { after, limit }: JobPageRequest): JobPage {
  const behind = jobs
    .filter((job) => after === undefined || compare(job, after) > 0)
    .sort(compare)
    .slice(0, limit)
    .map((job) => structuredClone(job));
  const last = behind.at(-1);
  return {
    jobs: behind,
    unreadable: [],
    ...(last === undefined || behind.length < limit
      ? {}
      : { next: { createdAtMs: last.createdAtMs, seq: last.seq } }),
  };
}

type Place = Pick<StoredJob, 'createdAtMs' | 'seq'>;
const compare = (a: Place, b: Place): number => a.createdAtMs - b.createdAtMs || a.seq - b.seq;

function prune({ jobs, instances }: MemoryJobData, beforeMs: number, limit: number, owing: Owing): number {
  const gone = [...jobs.values()].filter((job) => mayPrune(job, beforeMs, owing)).slice(0, limit);
  for (const { jobId } of gone) jobs.delete(jobId);
  const busy = new Set(
    [...jobs.values()].flatMap((job) => [...(isTerminal(job) ? [] : [job.owner]), job.deliverer]),
  );
  for (const { id, heartbeatAtMs } of instances.values())
    if (heartbeatAtMs < beforeMs && !busy.has(id)) instances.delete(id);
  return gone.length;
}
