/** The store's clock, also while the store does not answer: its last reading goes on by the monotonic clock. */
import type { Clock } from '../clock.ts';
import type { JobStore } from './store.ts';

export class StoreClock {
  readonly #clock: Clock;
  readonly #store: JobStore | undefined;
  #offsetMs: number;

  constructor(clock: Clock, store: JobStore | undefined) {
    this.#clock = clock;
    this.#store = store;
    this.#offsetMs = clock.wallMs() - clock.monotonicMs();
  }

  async now(): Promise<number> {
    if (this.#store === undefined) return this.#guess();
    try {
      const nowMs = await this.#store.nowMs();
      this.#offsetMs = nowMs - this.#clock.monotonicMs();
      return nowMs;
    } catch {
      // Whoever writes to the store next is told that it fails; an instant alone is no reason to stop a job.
      return this.#guess();
    }
  }

  #guess(): number {
    return Math.floor(this.#clock.monotonicMs() + this.#offsetMs);
  }
}
