/** The manager that a whole process shares (spec/jobs.md D2, D4-12). The only file here that knows an engine. */
import { homedir } from 'node:os';
import { env } from 'node:process';
import { createSqliteJobStore } from '../stores/sqlite/jobs/store.ts';
import { defaultJobsFile, storeIsOn } from './environment.ts';
import { createJobManager } from './manager.ts';
import type { JobManager, JobManagerOptions } from './types.ts';

let shared: Promise<JobManager> | undefined;

/**
 * The manager of this process. Made on the first call, with an SQLite store at `FENCEPOST_HOME/runs/background_jobs.db`, and reconciled once;
 * `FENCEPOST_JOB_STORE=0` makes it without a store. `shutdown` closes the store, and the next call makes a new one.
 *
 * @param options for the first call. A `deliver` that comes later becomes the handler, and what is owed is handed to it at once
 * @throws FencepostError `JOBS_CONFIG`, and what opening the file throws; the next call tries again
 */
export async function getJobManager(options: Omit<JobManagerOptions, 'store'> = {}): Promise<JobManager> {
  if (shared === undefined) {
    shared = make(options);
    shared.catch(() => {
      shared = undefined;
    });
    return shared;
  }
  const manager = await shared;
  if (options.deliver !== undefined) await manager.reconcileOnStart(options.deliver);
  return manager;
}

async function make(options: Omit<JobManagerOptions, 'store'>): Promise<JobManager> {
  const { clock } = options;
  const store = storeIsOn(env)
    ? createSqliteJobStore({
        file: defaultJobsFile(env, homedir()),
        ...(clock === undefined ? {} : { clock }),
      })
    : undefined;
  const manager = createJobManager({ ...options, ...(store === undefined ? {} : { store }) });
  await manager.reconcileOnStart();
  const mine: JobManager = {
    ...manager,
    get activeJobs() {
      return manager.activeJobs;
    },
    async shutdown(how) {
      shared = undefined;
      await manager.shutdown(how);
      await store?.close();
    },
  };
  return mine;
}
