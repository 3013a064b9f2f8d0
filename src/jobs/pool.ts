/** Runs jobs, a limited number at once, in the order of their start. */
import { afterLong, type Clock } from '../clock.ts';
import { FencepostError } from '../errors.ts';
import type { Ended, JobEntry, Work } from './entry.ts';

export interface PoolOptions {
  readonly clock: Clock;
  readonly maxWorkers: number;
  /** Notes that the job begins. False: it must not run. */
  readonly begin: (entry: JobEntry) => Promise<boolean>;
  /** Notes how it ended. */
  readonly end: (entry: JobEntry, ended: Ended) => Promise<void>;
}

export class Pool {
  readonly #options: PoolOptions;
  readonly #queue: JobEntry[] = [];
  readonly #running = new Map<JobEntry, Promise<void>>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  get running(): readonly JobEntry[] {
    return [...this.#running.keys()];
  }

  add(entry: JobEntry): void {
    this.#queue.push(entry);
    this.#fill();
  }

  /** Takes a job out of the queue. False: it is not there. */
  take(entry: JobEntry): boolean {
    const index = this.#queue.indexOf(entry);
    if (index !== -1) this.#queue.splice(index, 1);
    return index !== -1;
  }

  /** Takes all that wait. Nothing begins any more. */
  close(): readonly JobEntry[] {
    this.#closed = true;
    return this.#queue.splice(0);
  }

  /** Resolves when nothing runs and nothing waits. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  #fill(): void {
    while (!this.#closed && this.#running.size < this.#options.maxWorkers) {
      const entry = this.#queue.shift();
      if (entry === undefined) return;
      const run = this.#run(entry).finally(() => {
        this.#running.delete(entry);
        this.#fill();
      });
      this.#running.set(entry, run);
    }
  }

  async #run(entry: JobEntry): Promise<void> {
    const { work } = entry;
    if (work === undefined || !(await this.#options.begin(entry))) return;
    const { ended, returned } = this.#call(entry, work);
    await this.#options.end(entry, await ended);
    // After its time limit a function may go on for a while; its place is free when it has really stopped.
    await returned;
  }

  #call(entry: JobEntry, { run, timeLimitMs }: Work): { ended: Promise<Ended>; returned: Promise<void> } {
    const { controller } = entry;
    const { jobId } = entry.record;
    const running = callOf(() => run({ jobId, signal: controller.signal }));
    const ended = new Promise<Ended>((resolve) => {
      const limit = () => {
        const thrown = new FencepostError(
          'JOB_TIME_LIMIT',
          `Expected job ${jobId} to end within ${timeLimitMs} ms, found it still running.`,
          { definite: false },
        );
        resolve({ thrown });
        controller.abort(thrown);
      };
      const cancel =
        timeLimitMs === undefined ? () => {} : afterLong(this.#options.clock, timeLimitMs, limit);
      void running.then((how) => {
        cancel();
        resolve(how);
      });
    });
    return { ended, returned: running.then(() => {}) };
  }
}

async function callOf(run: () => unknown): Promise<Ended> {
  try {
    return { value: await run() };
  } catch (thrown) {
    return { thrown };
  }
}
