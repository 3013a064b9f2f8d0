/** Signs of life of one instance, while it has something to finish (spec/jobs.md D4-10). */
import type { Clock } from '../clock.ts';
import type { Instance, InstanceStore } from './store.ts';

export interface HeartOptions {
  readonly store: InstanceStore | undefined;
  readonly clock: Clock;
  readonly instance: Instance;
  readonly heartbeatMs: number;
  /** Whether anything is still to be finished. */
  readonly isBusy: () => boolean;
  readonly onFailure: (error: unknown) => void;
}

export class Heart {
  readonly #options: HeartOptions;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(options: HeartOptions) {
    this.#options = options;
  }

  /** Beats from now on until nothing is left to finish. The first beat comes with the write that made us busy. */
  wake(): void {
    const { store, clock, heartbeatMs } = this.#options;
    if (store === undefined || this.#cancel !== undefined || this.#stopped) return;
    this.#cancel = clock.after(heartbeatMs, () => void this.#beat(store), true);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  async #beat(store: InstanceStore): Promise<void> {
    const { instance, isBusy, onFailure } = this.#options;
    if (!isBusy()) {
      this.#cancel = undefined;
      return;
    }
    // A beat that waits for the store does not hold up the next one: the pause is counted from its start.
    this.#cancel = undefined;
    this.wake();
    try {
      await store.beat(instance);
    } catch (error) {
      onFailure(error);
    }
  }
}
