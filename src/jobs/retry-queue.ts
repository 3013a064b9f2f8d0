/** Jobs that wait for another attempt at their delivery: one timer for all, one attempt at a time. */
import { afterLong, type Clock } from '../clock.ts';
import type { JobEntry } from './entry.ts';

export class RetryQueue {
  readonly #clock: Clock;
  readonly #attempt: (entry: JobEntry) => Promise<void>;
  /** Instants on the monotonic clock. */
  readonly #due = new Map<JobEntry, number>();
  #cancelTimer: (() => void) | undefined;
  #armedForMs = Number.POSITIVE_INFINITY;
  #working = false;
  #closed = false;

  constructor(clock: Clock, attempt: (entry: JobEntry) => Promise<void>) {
    this.#clock = clock;
    this.#attempt = attempt;
  }

  get size(): number {
    return this.#due.size;
  }

  add(entry: JobEntry, pauseMs: number): void {
    if (this.#closed) return;
    const dueMs = this.#clock.monotonicMs() + pauseMs;
    this.#due.set(entry, dueMs);
    if (!this.#working && dueMs < this.#armedForMs) this.#arm(dueMs);
  }

  drop(entry: JobEntry): void {
    this.#due.delete(entry);
  }

  close(): void {
    this.#closed = true;
    this.#due.clear();
    this.#cancelTimer?.();
  }

  /** In the background: what is owed does not keep a process alive, the next boot delivers it. */
  #arm(dueMs: number): void {
    this.#cancelTimer?.();
    this.#armedForMs = dueMs;
    const leftMs = Math.max(0, dueMs - this.#clock.monotonicMs());
    this.#cancelTimer = afterLong(this.#clock, leftMs, () => void this.#work(), true);
  }

  async #work(): Promise<void> {
    this.#working = true;
    this.#armedForMs = Number.POSITIVE_INFINITY;
    const nowMs = this.#clock.monotonicMs();
    const due = [...this.#due].filter(([, dueMs]) => dueMs <= nowMs).sort(([, a], [, b]) => a - b);
    for (const [entry] of due) if (this.#due.delete(entry)) await this.#attempt(entry);
    this.#working = false;
    if (this.#due.size > 0 && !this.#closed) this.#arm(Math.min(...this.#due.values()));
  }
}
