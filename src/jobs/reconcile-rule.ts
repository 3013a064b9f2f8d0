/** What a reconcile does with one record (spec/jobs.md D3, D4-9 to D4-11). Pure. */
import type { JobRecord } from './job.ts';
import { owes } from './owing.ts';
import { isTerminal } from './rules.ts';
import type { InstanceRecord, Owing } from './store.ts';

/** `skip`: it is in the hands of an instance that is alive. `lose`: nobody will ever finish it. `deliver`: its origin is owed a word. */
export type Decision = 'skip' | 'lose' | 'deliver' | 'nothing';

/** What is known of the instances. */
export interface Surroundings {
  /** The one that reconciles. */
  readonly self: string;
  readonly isAlive: (instance: string) => boolean;
  readonly owing: Owing;
}

/** What to do with it. Own jobs are never lost: whoever asks is alive. */
export function decide(record: JobRecord, { self, isAlive, owing }: Surroundings): Decision {
  const { owner, deliverer } = record;
  if (!isTerminal(record)) return owner === self || isAlive(owner) ? 'skip' : 'lose';
  if (!owes(record, owing)) return 'nothing';
  return deliverer !== null && (deliverer === self || isAlive(deliverer)) ? 'skip' : 'deliver';
}

/** What the system says of the process of an instance. */
export type ProcessState = 'gone' | 'there' | 'unknown';

/**
 * Whether an instance may still finish what it has. Certainly not when it ended in order, or its process is gone; else by its
 * heartbeats: it is dead from `staleAfterMs` after the last one on. A process that is there may be stopped, or may not be the same
 * instance, so it says nothing.
 */
export function isInstanceAlive(
  instance: InstanceRecord | undefined,
  process: ProcessState,
  nowMs: number,
  staleAfterMs: number,
): boolean {
  if (instance === undefined || instance.ended || process === 'gone') return false;
  return nowMs - instance.heartbeatAtMs < staleAfterMs;
}
