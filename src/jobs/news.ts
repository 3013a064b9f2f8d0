/** What a manager counts and tells. An observer that throws harms nobody. */
import { infoOf } from './info.ts';
import type { JobRecord } from './job.ts';
import type { JobHealth, JobNotice } from './types.ts';

type Counted = 'writeFailures' | 'heartbeatFailures' | 'fenced' | 'lateFinishes' | 'deliveryFailures';

export class News {
  readonly #observe: ((notice: JobNotice) => void) | undefined;
  readonly #counts: Record<Counted, number> = {
    writeFailures: 0,
    heartbeatFailures: 0,
    fenced: 0,
    lateFinishes: 0,
    deliveryFailures: 0,
  };
  #lastError: string | undefined;

  constructor(observe: ((notice: JobNotice) => void) | undefined) {
    this.#observe = observe;
  }

  count(what: Counted): void {
    this.#counts[what] += 1;
  }

  tell(notice: JobNotice): void {
    if (this.#observe === undefined) {
      if (notice.kind === 'warning') process.emitWarning(notice.message, 'JobWarning');
      return;
    }
    try {
      this.#observe(notice);
    } catch (error) {
      process.emitWarning(`The observer of background jobs threw: ${messageOf(error)}`, 'JobWarning');
    }
  }

  /** Something failed, and the work goes on all the same. */
  warn(doing: string, error: unknown, jobId?: string): void {
    this.#lastError = `${doing}: ${messageOf(error)}`;
    this.tell({ kind: 'warning', message: this.#lastError, ...(jobId === undefined ? {} : { jobId }) });
  }

  /** Somebody else had taken this process for dead, and marked the job. */
  fenced(record: JobRecord, late: boolean): void {
    this.count('fenced');
    if (late) this.count('lateFinishes');
    this.tell({ kind: 'fenced', job: infoOf(record), late });
  }

  health(): Omit<JobHealth, 'unwritten' | 'waitingForDelivery'> {
    return { ...this.#counts, ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }) };
  }
}

/** What an error says. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
