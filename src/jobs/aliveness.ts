/** Who is alive, by what the store and the system say. Looks each instance up once. */
import type { ProcessProbe } from './process-probe.ts';
import { isInstanceAlive } from './reconcile-rule.ts';
import type { InstanceRecord, InstanceStore } from './store.ts';

export interface AlivenessOptions {
  readonly store: Pick<InstanceStore, 'sharedBy' | 'instance'>;
  readonly now: () => Promise<number>;
  readonly staleAfterMs: number;
  readonly processes: ProcessProbe;
}

export class Aliveness {
  readonly #options: AlivenessOptions;
  readonly #found = new Map<string, InstanceRecord | undefined>();

  constructor(options: AlivenessOptions) {
    this.#options = options;
  }

  /** What the store knew of it at the first look. */
  async record(id: string): Promise<InstanceRecord | undefined> {
    if (!this.#found.has(id)) this.#found.set(id, await this.#options.store.instance(id));
    return this.#found.get(id);
  }

  async isAlive(id: string): Promise<boolean> {
    const { store, now, staleAfterMs, processes } = this.#options;
    const found = await this.record(id);
    const identity = store.sharedBy === 'network' ? undefined : found?.process;
    const state = identity === undefined ? 'unknown' : processes.stateOf(identity);
    return isInstanceAlive(found, state, await now(), staleAfterMs);
  }
}
