/**
 * Work for jobs in worker threads. A function that computes for seconds without a pause stops everything else in its process, the
 * heartbeats too, so that others take the process for dead: such work belongs here.
 */
import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';
import { checkWhole } from '../board/validate.ts';
import type { JobFunction } from './types.ts';

/** Options of `createJobThreads`. */
export interface JobThreadsOptions {
  /** Threads at once; more than the manager's `maxWorkers` are of no use. @default 4 */
  readonly maxThreads?: number;
}

export interface JobThreads {
  /**
   * A job that calls an exported function of a module in a thread. An abort ends the thread.
   *
   * @param module its absolute URL, such as `new URL('./sum.js', import.meta.url)`
   * @param data what the function is given; it is copied
   * @param name of the export. @default the default export
   */
  job(module: URL, data: unknown, name?: string): JobFunction;
  /** Ends the threads. */
  close(): Promise<void>;
}

/**
 * Makes a pool of threads. Nothing is started before the first job.
 *
 * @throws FencepostError `INVALID_ARGUMENT`
 * @example
 * const threads = createJobThreads();
 * await jobs.startJob(threads.job(new URL('./sum.js', import.meta.url), [1, 2, 3]));
 */
export function createJobThreads(options: JobThreadsOptions = {}): JobThreads {
  const maxThreads = checkWhole('maxThreads', options.maxThreads ?? 4, 1);
  let pool: Promise<Piscina> | undefined;

  async function open(): Promise<Piscina> {
    // Loaded with the first job: most programs never need it.
    const { Piscina: Pool } = await import('piscina');
    return new Pool({ minThreads: 0, maxThreads });
  }

  return {
    job:
      (module, data, name = 'default') =>
      async ({ signal }) => {
        pool ??= open();
        return (await pool).run(data, { filename: fileURLToPath(module), name, signal });
      },
    async close() {
      await (await pool)?.close({ force: true });
      pool = undefined;
    },
  };
}
