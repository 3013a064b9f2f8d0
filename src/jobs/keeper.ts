/**
 * Brings records to the store: in order for each job, again after a failure, and never over what somebody else wrote
 * (spec/jobs.md D4-18, D4-19). A store that fails never stops a job.
 */
import type { Clock } from '../clock.ts';
import { writePauseMs } from './backoff.ts';
import type { JobEntry } from './entry.ts';
import type { JobRecord } from './job.ts';
import type { News } from './news.ts';
import { isSame, isTerminal } from './rules.ts';
import type { Instance, JobStore } from './store.ts';

/** `fenced`: somebody else wrote it meanwhile; `entry.theirs` is what. `unwritten`: the store fails; it is tried again later. */
export type Fate = 'written' | 'fenced' | 'unwritten';

/** Earlier writes of ours that a retry may meet: at most one for each change of a record. */
const ROUNDS = 5;

export interface KeeperOptions {
  readonly store: JobStore | undefined;
  readonly clock: Clock;
  readonly instance: Instance;
  readonly news: News;
  /** A write that was tried again found that somebody else had written. */
  readonly onFenced: (entry: JobEntry) => void;
}

export class Keeper {
  readonly #options: KeeperOptions;
  readonly #unwritten = new Set<JobEntry>();
  #cancelTimer: (() => void) | undefined;
  #rounds = 0;

  constructor(options: KeeperOptions) {
    this.#options = options;
  }

  /** Jobs whose newest state is not in the store. */
  get unwritten(): number {
    return this.#unwritten.size;
  }

  isUnwritten(entry: JobEntry): boolean {
    return this.#unwritten.has(entry);
  }

  /**
   * Writes what comes next of a job; memory says it once the store does, or has failed `tries` times. `undefined` from `next`: nothing is
   * to be written any more.
   */
  write(entry: JobEntry, next: (record: JobRecord) => JobRecord | undefined, tries: number): Promise<Fate> {
    return entry.alone(async () => {
      const record = next(entry.record);
      if (record === undefined) return 'fenced';
      for (let attempt = 1; ; attempt += 1) {
        try {
          const fate = await this.#put(entry, record);
          if (fate === 'written') this.#keep(entry, record);
          return fate;
        } catch (error) {
          this.#failed(record.jobId, error);
          if (attempt >= tries) break;
        }
        await this.#pause(writePauseMs(attempt));
      }
      entry.record = record;
      this.#unwritten.add(entry);
      this.#arm();
      return 'unwritten';
    });
  }

  /** Stores a job that is new, once. Undefined: there is a job of that id already. Failures go through. */
  async create(entry: JobEntry): Promise<boolean> {
    return (await entry.alone(() => this.#put(entry, entry.record))) === 'written';
  }

  /** A first write that failed is tried again later. */
  later(entry: JobEntry, error: unknown): void {
    this.#failed(entry.record.jobId, error);
    this.#unwritten.add(entry);
    this.#arm();
  }

  /** One more try for everything that is not in the store. */
  async flush(): Promise<void> {
    for (const entry of [...this.#unwritten]) {
      await entry.alone(async () => {
        if (!this.#unwritten.has(entry)) return;
        try {
          const fate = await this.#put(entry, entry.record);
          this.#unwritten.delete(entry);
          if (fate === 'fenced') this.#options.onFenced(entry);
        } catch (error) {
          this.#failed(entry.record.jobId, error);
        }
      });
    }
  }

  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #keep(entry: JobEntry, record: JobRecord): void {
    entry.record = record;
    this.#unwritten.delete(entry);
  }

  async #put(entry: JobEntry, record: JobRecord): Promise<'written' | 'fenced'> {
    const { store, instance } = this.#options;
    if (store === undefined) return 'written';
    let ifRevision = entry.storedRevision;
    for (let round = 0; round < ROUNDS; round += 1) {
      if (await store.upsert(record, { ifRevision }, instance)) return stored(entry, record);
      const found = await store.get(record.jobId);
      // The answer of an earlier try was lost, and it had landed.
      if (found !== undefined && isSame(found, record)) return stored(entry, record);
      if (found === undefined || record.revision === 1 || !this.#isOurs(found)) {
        entry.theirs = found;
        return 'fenced';
      }
      ifRevision = found.revision;
    }
    throw new Error(`Expected to write job ${record.jobId}, found it changed at every try.`);
  }

  /** Only its owner changes a job that has not ended, and only its deliverer one that has, until somebody takes them for dead. */
  #isOurs(record: JobRecord): boolean {
    const { id } = this.#options.instance;
    return (isTerminal(record) ? record.deliverer : record.owner) === id;
  }

  #failed(jobId: string, error: unknown): void {
    this.#options.news.count('writeFailures');
    this.#options.news.warn(`Storing job ${jobId} failed and is tried again`, error, jobId);
  }

  #arm(): void {
    if (this.#cancelTimer !== undefined) return;
    this.#rounds += 1;
    this.#cancelTimer = this.#options.clock.after(
      writePauseMs(this.#rounds),
      () => {
        void this.flush().then(() => {
          this.#cancelTimer = undefined;
          if (this.#unwritten.size > 0) this.#arm();
          else this.#rounds = 0;
        });
      },
      true,
    );
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#options.clock.after(ms, resolve));
  }
}

function stored(entry: JobEntry, record: JobRecord): 'written' {
  entry.storedRevision = record.revision;
  return 'written';
}
