/** What may come between the recorder and the store, in a worker that faults are done to. Types only. */
import type { Awaitable } from '../../src/store.ts';
import type { OperationName } from '../history/record.ts';

/** Names one call of this process. */
export interface CallName {
  readonly op: OperationName;
  readonly lane: number;
  readonly call: number;
}

export interface CallHooks {
  /** Makes the call. Its invoke record is written. */
  around<T>(name: CallName, send: () => Awaitable<T>): Awaitable<T>;
  /** The completion record is written; nobody has acted on the answer yet. */
  answered(name: CallName): void;
}
