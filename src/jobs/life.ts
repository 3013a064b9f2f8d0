/** How a job of this process begins and ends: each change is stored first, and told after (spec/jobs.md D3). */
import type { Deliveries } from './deliveries.ts';
import type { Ended, JobEntry } from './entry.ts';
import { infoOf } from './info.ts';
import type { Keeper } from './keeper.ts';
import type { News } from './news.ts';
import { errorText, storedResult } from './result.ts';
import { after, isTerminal } from './rules.ts';
import type { StoreClock } from './store-clock.ts';

/** A change that is not stored makes nothing worse than a crash would: the next one carries it along. */
const SOON_TRIES = 2;
/** How a job ended is worth waiting for: without it the job is lost at the next boot. */
const END_TRIES = 6;

export interface LifeOptions {
  readonly keeper: Keeper;
  readonly storeClock: StoreClock;
  readonly news: News;
  readonly entries: Map<string, JobEntry>;
  readonly deliveries: Deliveries;
}

export class Life {
  readonly #options: LifeOptions;
  #abandoned = false;

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  /** Running jobs are given up: how they end is not stored any more. */
  abandon(): void {
    this.#abandoned = true;
  }

  /** Notes that the job runs. False: it must not. */
  async begin(entry: JobEntry): Promise<boolean> {
    const { keeper, storeClock } = this.#options;
    const nowMs = await storeClock.now();
    const fate = await keeper.write(entry, (record) => after(record, { kind: 'taken', nowMs }), SOON_TRIES);
    if (fate === 'fenced') this.fenced(entry);
    // A shutdown that does not wait may have come meanwhile.
    return fate !== 'fenced' && !this.#abandoned;
  }

  /** Notes how it ended, then tells everybody. */
  async end(entry: JobEntry, ended: Ended): Promise<void> {
    if (this.#abandoned) return;
    const { keeper, storeClock, news, deliveries } = this.#options;
    const nowMs = await storeClock.now();
    const deliverer = deliveries.firstDeliverer(entry);
    const fate = await keeper.write(
      entry,
      (record) =>
        'value' in ended
          ? after(record, { kind: 'returned', nowMs, result: storedResult(ended.value), deliverer })
          : after(record, { kind: 'threw', nowMs, error: errorText(ended.thrown), deliverer }),
      END_TRIES,
    );
    if (fate === 'fenced') {
      this.fenced(entry, true);
      return;
    }
    entry.ended = ended;
    entry.tellEnd();
    news.tell({ kind: 'ended', job: infoOf(entry.record) });
    deliveries.first(entry);
  }

  /** Of a job that nobody has begun. */
  async cancel(entry: JobEntry): Promise<void> {
    const { keeper, storeClock, news } = this.#options;
    const nowMs = await storeClock.now();
    const fate = await keeper.write(
      entry,
      (record) => after(record, { kind: 'cancelled', nowMs }),
      END_TRIES,
    );
    if (fate === 'fenced') return this.fenced(entry);
    entry.tellEnd();
    news.tell({ kind: 'ended', job: infoOf(entry.record) });
  }

  /** Somebody took this process for dead. What they wrote stays, and memory says the same. */
  fenced(entry: JobEntry, late = isTerminal(entry.record)): void {
    const { entries, news } = this.#options;
    entry.controller.abort(new Error('This job was marked as lost by another process.'));
    if (entry.theirs === undefined) entries.delete(entry.record.jobId);
    else {
      entry.record = entry.theirs;
      entry.storedRevision = entry.theirs.revision;
      entry.ended = undefined;
    }
    entry.tellEnd();
    news.fenced(entry.record, late);
  }
}
