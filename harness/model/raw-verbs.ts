/** Verbs of plans as the raw records tell them. */
import type { Fields, RawCall } from './raw-calls.ts';

/** A verb with its plain fields. */
export interface Verb {
  readonly call: RawCall;
  readonly said: Fields;
  readonly claim: Fields | undefined;
}

/** Told of what is broken: a guarantee, and the task of an epoch as far as they are known. */
export type Tell = (id: string, epoch: unknown, task: unknown) => void;

export const isAccepted = ({ call }: Verb): boolean => call.outcome === 'accepted';

export const closes = ({ said }: Verb): boolean => said.verb === 'markDone' || said.verb === 'markFailed';
