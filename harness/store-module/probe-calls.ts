/** Calls of the probe: each has its own request id, and a bounded time. */
import type { Call } from '../../src/store.ts';
import { CallFailure } from './probe-problem.ts';
import { ShapeError } from './shape-error.ts';
import { TimeLimitError, within } from './time-limit.ts';

/** The label that the probe claims and writes under. */
export const PROBE_OWNER = 'probe';

export class ProbeCalls {
  readonly limitMs: number;
  #made = 0;

  readonly #onCall: (op: string) => void;

  constructor(limitMs: number, onCall: (op: string) => void = () => {}) {
    this.limitMs = limitMs;
    this.#onCall = onCall;
  }

  async call<T>(op: string, call: () => T | PromiseLike<T>): Promise<T> {
    this.#onCall(op);
    try {
      return await within(this.limitMs, `${op}()`, call);
    } catch (error) {
      if (error instanceof ShapeError || error instanceof TimeLimitError) throw error;
      throw new CallFailure(op, error);
    }
  }

  request(): Call {
    this.#made += 1;
    return { request: `probe.0.${this.#made}` };
  }
}
