/** Questions about jobs: memory first, then the store (spec/jobs.md D4-14 to D4-16). */
import { afterLong, type Clock } from '../clock.ts';
import { FencepostError } from '../errors.ts';
import type { JobEntry } from './entry.ts';
import type { JobRecord, JobStatus } from './job.ts';
import { isTerminal } from './rules.ts';
import type { JobPage, JobStore } from './store.ts';

const PAGE = 500;
/** Between two looks at a job that another process runs. */
const LOOK_AGAIN_MS = 200;

export interface LookupOptions {
  readonly store: JobStore | undefined;
  readonly clock: Clock;
  readonly entries: Map<string, JobEntry>;
  /** While jobs are being marked as lost, the store still says running of some of them: those who ask are told afterwards. */
  readonly marking: () => Promise<unknown> | undefined;
  readonly closing: AbortSignal;
}

export interface Lookups {
  find(jobId: string): Promise<JobRecord>;
  result(jobId: string, timeoutMs: number | undefined, signal: AbortSignal | undefined): Promise<unknown>;
  list(status: JobStatus | undefined): Promise<readonly JobRecord[]>;
}

export function createLookups(options: LookupOptions): Lookups {
  const { store, clock, entries, marking, closing } = options;

  async function find(jobId: string): Promise<JobRecord> {
    const here = entries.get(jobId);
    if (here !== undefined) return here.record;
    await marking();
    const record = entries.get(jobId)?.record ?? (await store?.get(jobId));
    if (record !== undefined) return record;
    throw new FencepostError(
      'JOB_UNKNOWN',
      `Expected a job ${jobId}, found none in memory or in the store.`,
      {
        definite: true,
      },
    );
  }

  /** The record once it is terminal. */
  async function ended(jobId: string, stop: AbortSignal): Promise<JobRecord> {
    for (;;) {
      const record = await find(jobId);
      if (isTerminal(record)) return record;
      stop.throwIfAborted();
      const entry = entries.get(jobId);
      await (entry === undefined ? pause(clock, stop) : Promise.race([entry.whenEnded(), aborted(stop)]));
    }
  }

  return {
    find,
    async result(jobId, timeoutMs, signal) {
      const stop = new AbortController();
      const stopWith = (reason: unknown) => stop.abort(reason);
      const onAbort = () => stopWith(signal?.reason);
      const onClosing = () => stopWith(closedManager());
      if (signal?.aborted) onAbort();
      if (closing.aborted) onClosing();
      signal?.addEventListener('abort', onAbort);
      closing.addEventListener('abort', onClosing);
      const cancel =
        timeoutMs === undefined
          ? () => {}
          : afterLong(clock, timeoutMs, () => stopWith(timeout(jobId, timeoutMs)));
      try {
        const record = await ended(jobId, stop.signal);
        return resultOf(record, entries.get(jobId));
      } finally {
        cancel();
        signal?.removeEventListener('abort', onAbort);
        closing.removeEventListener('abort', onClosing);
      }
    },
    async list(status) {
      await marking();
      const found = new Map<string, JobRecord>();
      let page: JobPage | undefined;
      do {
        const from = page?.next === undefined ? {} : { after: page.next };
        page = await store?.list(status, { limit: PAGE, ...from });
        for (const job of page?.jobs ?? []) found.set(job.jobId, job);
      } while (page?.next !== undefined);
      // What memory says is newer, also where that puts a job into another state.
      for (const [jobId, { record }] of entries) found.set(jobId, record);
      return [...found.values()]
        .filter((record) => status === undefined || record.status === status)
        .sort((a, b) => a.createdAtMs - b.createdAtMs);
    },
  };
}

/** What the caller of a job gets in the end. */
function resultOf(record: JobRecord, entry: JobEntry | undefined): unknown {
  const { jobId, result } = record;
  const ended = entry?.ended;
  switch (record.status) {
    case 'completed':
      if (ended !== undefined && 'value' in ended) return ended.value;
      if (result === null) return undefined;
      if ('value' in result) return result.value;
      throw new FencepostError(
        'JOB_RESULT_TEXT',
        `Expected the result of job ${jobId} as JSON, found only its text, because: ${result.notSerialisable} As text: ${result.text}`,
        { definite: true },
      );
    case 'failed':
      throw new FencepostError('JOB_FAILED', `Job ${jobId} failed: ${record.error}`, {
        definite: true,
        ...(ended !== undefined && 'thrown' in ended ? { cause: ended.thrown } : {}),
      });
    case 'cancelled':
      throw new FencepostError('JOB_CANCELLED', `Job ${jobId} was cancelled before it began.`, {
        definite: true,
      });
    default:
      throw new FencepostError(
        'JOB_LOST',
        `Job ${jobId} was lost: its process ended, or was taken for dead, before the job came to an end. It is not run again.`,
        { definite: true },
      );
  }
}

const timeout = (jobId: string, ms: number): FencepostError =>
  new FencepostError(
    'JOB_TIMEOUT',
    `Expected job ${jobId} to end within ${ms} ms, found it still at work. It goes on.`,
    {
      definite: true,
    },
  );

const closedManager = (): FencepostError =>
  new FencepostError('JOBS_CLOSED', 'The job manager was shut down while the job was running.', {
    definite: true,
  });

function pause(clock: Clock, stop: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(LOOK_AGAIN_MS, () => {
      stop.removeEventListener('abort', onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(stop.reason as Error);
    };
    stop.addEventListener('abort', onAbort, { once: true });
  });
}

/** Never resolves. */
const aborted = (stop: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    stop.addEventListener('abort', () => reject(stop.reason as Error), { once: true });
  });
