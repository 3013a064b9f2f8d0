/** A job in this manager's memory: what it says, what the store is known to hold, and who waits for it. */
import type { JobRecord } from './job.ts';
import { isTerminal } from './rules.ts';
import type { JobFunction, OnComplete } from './types.ts';

/** What a job of this life is made of. */
export interface Work {
  readonly run: JobFunction;
  readonly onComplete: OnComplete | undefined;
  readonly timeLimitMs: number | undefined;
}

/** How a job ended in this life. */
export type Ended = { readonly value: unknown } | { readonly thrown: unknown };

export class JobEntry {
  /** What memory says. Changes only through the keeper. */
  record: JobRecord;
  /** The newest revision that the store is known to hold; 0: none. */
  storedRevision: number;
  /** Absent on a job that was loaded from the store. */
  readonly work: Work | undefined;
  readonly controller = new AbortController();
  ended: Ended | undefined;
  /** A delivery of it is under way. */
  delivering = false;
  /** What somebody else wrote in the meantime. */
  theirs: JobRecord | undefined;
  #chain: Promise<unknown> = Promise.resolve();
  #resolveEnd: () => void = () => {};
  readonly #end: Promise<void>;

  constructor(record: JobRecord, storedRevision: number, work?: Work) {
    this.record = record;
    this.storedRevision = storedRevision;
    this.work = work;
    this.#end = new Promise((resolve) => {
      this.#resolveEnd = resolve;
    });
    if (isTerminal(record)) this.#resolveEnd();
  }

  /** Resolves when memory says that the job has ended. */
  whenEnded(): Promise<void> {
    return this.#end;
  }

  /** Tells those who wait. */
  tellEnd(): void {
    this.#resolveEnd();
  }

  /** One write at a time for each job: the store sees its changes in order (spec/jobs.md D4-19). */
  alone<T>(body: () => Promise<T>): Promise<T> {
    const result = this.#chain.then(body);
    this.#chain = result.catch(() => {});
    return result;
  }
}
