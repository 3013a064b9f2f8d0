/** Job managers on one store of either engine, under one fake clock. A boot that crashes is never heard of again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach } from 'vitest';
import type { JobRecord } from '../../../src/jobs/job.ts';
import { createJobManager } from '../../../src/jobs/manager.ts';
import type { ProcessProbe } from '../../../src/jobs/process-probe.ts';
import { newJob } from '../../../src/jobs/rules.ts';
import type { JobStore } from '../../../src/jobs/store.ts';
import type {
  JobFunction,
  JobManager,
  JobManagerOptions,
  JobNotice,
  StartOptions,
} from '../../../src/jobs/types.ts';
import { createMemoryJobData, createMemoryJobStore } from '../../../src/stores/memory/jobs.ts';
import { createSqliteJobStore } from '../../../src/stores/sqlite/jobs/store.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { ENGINES, type Engine } from '../../support/world.ts';

export { ENGINES };

export const STALE_MS = 15_000;
export const ORIGIN = { chat: 'C1' };

/** Nobody's process is known: heartbeats decide alone. */
const NO_PROCESSES: ProcessProbe = { self: () => undefined, stateOf: () => 'unknown' };

export interface Boot {
  readonly jobs: JobManager;
  readonly notices: JobNotice[];
  /** From now on nothing of this boot reaches the store, and nothing comes back from it. */
  crash(): void;
}

export interface Jobs {
  readonly clock: FakeClock;
  readonly file: string;
  /** A handle on the store, for looking. */
  readonly store: JobStore;
  boot(options?: JobManagerOptions): Boot;
  /** A boot on which everything that earlier boots left has grown stale. */
  reboot(options?: JobManagerOptions): Boot;
  stored(jobId: string): Promise<JobRecord>;
  /** Stores a record of a process that is no more. */
  seed(record: Partial<JobRecord> & { readonly jobId: string }): Promise<void>;
  /** Lets everything happen that needs no time. */
  settle(): Promise<void>;
}

export function useJobs(engine: Engine): Jobs {
  let clock: FakeClock;
  let folder: string;
  let data = createMemoryJobData();
  let opened: JobStore[] = [];
  let booted: Boot[] = [];
  const file = () => join(folder, 'jobs.db');
  const open = (): JobStore => {
    const store =
      engine === 'memory'
        ? createMemoryJobStore({ clock, data })
        : createSqliteJobStore({ file: file(), clock });
    opened.push(store);
    return store;
  };
  let look: JobStore;
  beforeEach(() => {
    clock = createFakeClock({ wallMs: 1_000_000 });
    folder = mkdtempSync(join(tmpdir(), 'fencepost-jobs-'));
    data = createMemoryJobData();
    opened = [];
    booted = [];
    look = open();
  });
  afterEach(async () => {
    for (const boot of booted) boot.crash();
    for (const store of opened) await store.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const jobs: Jobs = {
    get clock() {
      return clock;
    },
    get file() {
      return file();
    },
    get store() {
      return look;
    },
    boot(options = {}) {
      const store = options.store ?? open();
      const link = breakable(store);
      const notices: JobNotice[] = [];
      const manager = createJobManager({
        clock,
        random: () => 0.5,
        processes: NO_PROCESSES,
        observe: (notice) => notices.push(notice),
        ...options,
        store: link.store,
      });
      const boot = { jobs: manager, notices, crash: link.cut };
      booted.push(boot);
      return boot;
    },
    reboot(options) {
      for (const boot of booted) boot.crash();
      clock.advance(STALE_MS);
      return jobs.boot(options);
    },
    async stored(jobId) {
      const record = await look.get(jobId);
      if (record === undefined) throw new Error(`Expected a stored job ${jobId}, found none.`);
      return record;
    },
    async seed(record) {
      const nowMs = await look.nowMs();
      const base = newJob({
        jobId: record.jobId,
        nowMs,
        owner: 'dead',
        origin: record.origin ?? {},
        targets: [],
      });
      const started = record.status === 'pending' ? {} : { startedAtMs: nowMs };
      const ended = ['pending', 'running'].includes(record.status ?? '') ? {} : { completedAtMs: nowMs };
      await look.upsert({ ...base, ...started, ...ended, ...record }, { ifRevision: 0 }, { id: 'dead' });
      await look.end('dead');
    },
    settle: () => clock.advanceAsync(0),
  };
  return jobs;
}

/** A store that can be cut off: whatever is asked after that is never answered. */
export function breakable<Store extends object>(store: Store): { store: Store; cut: () => void } {
  let isCut = false;
  const linked = Object.fromEntries(
    Object.entries(store).map(([name, member]) => [
      name,
      typeof member === 'function'
        ? (...given: unknown[]) =>
            isCut ? new Promise(() => {}) : (member as (...given: unknown[]) => unknown)(...given)
        : member,
    ]),
  ) as unknown as Store;
  return {
    store: linked,
    cut() {
      isCut = true;
    },
  };
}

/** The store with some methods replaced. */
export const withStore = (store: JobStore, replaced: Partial<JobStore>): JobStore => ({
  ...store,
  ...replaced,
});

/** Starts a job and answers its id. */
export async function start(
  jobs: JobManager,
  work: JobFunction,
  options: StartOptions = {},
): Promise<string> {
  const started = await jobs.startJob(work, options);
  if (started.accepted) return started.value.jobId;
  throw new Error(`Expected the job to start, got ${started.refusal.code}.`);
}

/** A function that ends when the test says so. */
export function gate<T = unknown>(): {
  readonly work: JobFunction;
  readonly calls: number;
  open(value?: T): void;
  fail(error: unknown): void;
} {
  let calls = 0;
  let resolve: (value: unknown) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return {
    work: () => {
      calls += 1;
      return promise;
    },
    get calls() {
      return calls;
    },
    open: (value) => resolve(value),
    fail: (error) => reject(error),
  };
}

/** Changes the file behind the store's back. */
export function raw(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(sql);
  db.close();
}

/** What was delivered, as `job target attempt`; answers with what `answer` says. */
export function receiver(answer: (jobId: string, attempt: number) => unknown = () => true) {
  const got: string[] = [];
  return {
    got,
    deliver: (job: { readonly jobId: string }, { target, attempt }: { target: string; attempt: number }) => {
      got.push(`${job.jobId} ${target} ${attempt}`);
      return answer(job.jobId, attempt);
    },
  };
}
