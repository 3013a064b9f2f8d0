/**
 * The client that every worker uses: it records what it is about to do, does it, and records what came of it. One for each
 * lane; `call-recorder.ts` keeps the order that the verdicts rest on.
 */
import type { Store } from '../../src/store.ts';
import { type BoardCalls, boardCalls } from './board-calls.ts';
import { CallRecorder, type RecorderOptions } from './call-recorder.ts';
import { type WorkCalls, workCalls } from './work-calls.ts';

export type { Answer, LaneNumbers } from './call-recorder.ts';

export interface ClientOptions extends RecorderOptions {
  /** Behind the validating wrapper. */
  readonly store: Pick<Store, 'work' | 'entries' | 'feed'>;
  /** The owner of its claims, and the author of its writes. */
  readonly label: string;
}

/** Every call of the contract that is recorded. A lane calls only what its store has. */
export type RecordingClient = WorkCalls & BoardCalls;

/** A client of its own lane. */
export function recordingClient({ store, label, ...options }: ClientOptions): RecordingClient {
  const recorder = new CallRecorder(options);
  return { ...workCalls(recorder, store, label), ...boardCalls(recorder, store, label) };
}
