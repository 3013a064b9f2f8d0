/** Reconciles, one at a time: each counts what it did itself, and lookups wait for the one that marks. */
import type { Deliveries } from './deliveries.ts';
import { handBack, markLost, type ReconcileOptions } from './reconcile.ts';
import type { ReconcileCounts } from './types.ts';

export class Passes {
  readonly #options: ReconcileOptions;
  readonly #deliveries: Deliveries;
  #last: Promise<unknown> = Promise.resolve();
  /** While jobs are being marked: resolves when they are. */
  marking: Promise<unknown> | undefined;

  constructor(options: ReconcileOptions, deliveries: Deliveries) {
    this.#options = options;
    this.#deliveries = deliveries;
  }

  next(): Promise<ReconcileCounts> {
    const pass = this.#last.then(async () => {
      const marked = markLost(this.#options);
      this.marking = marked;
      const found = await marked;
      this.marking = undefined;
      return handBack(this.#deliveries, found);
    });
    this.#last = pass.catch(() => {});
    return pass;
  }
}
