/**
 * Hands results back: `onComplete` once in the life of a job, the handler of the manager as often as it takes (spec/jobs.md D4-5 to
 * D4-8, D4-13, D4-26). Before the handler is called the record says who is at it, so that another process does not do the same meanwhile;
 * after each target its mark is stored.
 */
import type { Clock } from '../clock.ts';
import { deliveryPauseMs } from './backoff.ts';
import { ask } from './delivery-attempt.ts';
import type { JobEntry } from './entry.ts';
import { infoOf } from './info.ts';
import type { Keeper } from './keeper.ts';
import type { News } from './news.ts';
import { type Attempt, attempted, attemptsOf, calledBack, claimed, owedTargets, owes } from './owing.ts';
import { RetryQueue } from './retry-queue.ts';
import type { Owing } from './store.ts';
import type { DeliverBack, OnComplete } from './types.ts';

/** A mark that is not stored means a second delivery, so it is worth several tries. */
const MARK_TRIES = 5;
const CLAIM_TRIES = 2;

export interface DeliveriesOptions {
  readonly instanceId: string;
  readonly keeper: Keeper;
  readonly clock: Clock;
  readonly random: () => number;
  readonly owing: Owing;
  readonly timeoutMs: number;
  readonly news: News;
  /** Something is to be finished. */
  readonly onBusy: () => void;
}

export class Deliveries {
  handler: DeliverBack | undefined;
  readonly #options: DeliveriesOptions;
  readonly #retries: RetryQueue;
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;

  constructor(options: DeliveriesOptions) {
    this.#options = options;
    this.#retries = new RetryQueue(options.clock, async (entry) => void (await this.deliver(entry)));
  }

  /** Jobs that wait for another attempt. */
  get waiting(): number {
    return this.#retries.size;
  }

  get busy(): boolean {
    return this.#running.size > 0;
  }

  /** Who is at it right after the end of the job, so that the end and that are one write. */
  firstDeliverer(entry: JobEntry): string | null {
    const handed = entry.work?.onComplete !== undefined || (this.handler !== undefined && hasOrigin(entry));
    return handed && !this.#closed ? this.#options.instanceId : null;
  }

  /** After the end of a job is stored. Never fails. */
  first(entry: JobEntry): void {
    const onComplete = entry.work?.onComplete;
    if (entry.record.deliverer !== this.#options.instanceId) return;
    void this.#track(onComplete === undefined ? this.deliver(entry) : this.#callBack(entry, onComplete));
  }

  /** Through the handler, to every target that is owed. True: all have it now, or were given up. */
  deliver(entry: JobEntry): Promise<boolean> {
    const { handler } = this;
    if (handler === undefined || entry.delivering || this.#closed) return Promise.resolve(false);
    entry.delivering = true;
    this.#retries.drop(entry);
    const done = this.#throughHandler(entry, handler).finally(() => {
      entry.delivering = false;
    });
    return this.#track(done);
  }

  /** No attempt begins any more. */
  close(): void {
    this.#closed = true;
    this.#retries.close();
  }

  /** Waits for the attempts that are under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #callBack(entry: JobEntry, onComplete: OnComplete): Promise<boolean> {
    const { keeper, clock, timeoutMs, news, owing } = this.#options;
    const value = entry.ended !== undefined && 'value' in entry.ended ? entry.ended.value : undefined;
    const attempt = await ask(clock, timeoutMs, () => onComplete(infoOf(entry.record), value));
    const fate = await keeper.write(entry, (record) => calledBack(record, attempt), MARK_TRIES);
    if (fate === 'fenced') this.#takeTheirs(entry);
    this.#report(entry, 'onComplete', attempt);
    if (owes(entry.record, owing)) this.#later(entry, attempt);
    else if (attempt.state === 'delivered') news.tell({ kind: 'delivered', job: infoOf(entry.record) });
    return entry.record.delivered;
  }

  async #throughHandler(entry: JobEntry, handler: DeliverBack): Promise<boolean> {
    const { keeper, instanceId, clock, timeoutMs, news, owing } = this.#options;
    if (entry.record.deliverer !== instanceId) {
      const claim = await keeper.write(
        entry,
        (record) => (owes(record, owing) ? claimed(record, instanceId) : undefined),
        CLAIM_TRIES,
      );
      if (claim === 'fenced') return this.#takeTheirs(entry);
    }
    let last: Attempt = { state: 'delivered' };
    const targets = owedTargets(entry.record);
    for (const [index, { target, attempts }] of targets.entries()) {
      const more = index < targets.length - 1 && !this.#closed;
      const attempt = await ask(clock, timeoutMs, (signal) =>
        handler(infoOf(entry.record), { target, attempt: attempts + 1, signal }),
      );
      if (attempt.state === 'owed') last = attempt;
      const fate = await keeper.write(
        entry,
        (record) => attempted(record, target, attempt, more),
        MARK_TRIES,
      );
      this.#report(entry, target, attempt);
      if (fate === 'fenced') return this.#takeTheirs(entry);
      if (!more) break;
    }
    if (entry.record.delivered) news.tell({ kind: 'delivered', job: infoOf(entry.record) });
    else this.#later(entry, last);
    return entry.record.delivered;
  }

  /** Somebody else was faster, or took us for dead: what the store says counts. */
  #takeTheirs(entry: JobEntry): boolean {
    const { owing } = this.#options;
    if (entry.theirs === undefined) return false;
    entry.record = entry.theirs;
    entry.storedRevision = entry.theirs.revision;
    entry.theirs = undefined;
    if (owes(entry.record, owing)) this.#later(entry, { state: 'owed', error: '' });
    return false;
  }

  #later(entry: JobEntry, attempt: Attempt): void {
    const { random } = this.#options;
    if (this.handler === undefined || this.#closed) return;
    const askedMs = attempt.state === 'owed' ? attempt.retryAfterMs : undefined;
    this.#retries.add(entry, deliveryPauseMs(attemptsOf(entry.record).attempts, random(), askedMs));
  }

  #report(entry: JobEntry, target: string, attempt: Attempt): void {
    if (attempt.state === 'delivered') return;
    const { news } = this.#options;
    const { jobId } = entry.record;
    news.count('deliveryFailures');
    news.warn(`Handing job ${jobId} back to ${target} failed`, attempt.error, jobId);
    news.tell({ kind: 'undelivered', job: infoOf(entry.record), target, error: attempt.error });
  }

  #track<T>(work: Promise<T>): Promise<T> {
    this.#running.add(work);
    this.#options.onBusy();
    const gone = () => void this.#running.delete(work);
    work.then(gone, gone);
    return work;
  }
}

const hasOrigin = ({ record }: JobEntry): boolean => record.deliveries.length > 0;
