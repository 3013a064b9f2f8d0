/** One interface for all faults: intent → act → confirm → heal → healed, each of which goes into the history. */
import type { Crew, Member } from '../process/crew.ts';
import type { FaultName } from '../scenario/scenario.ts';
import type { LiveLeases } from './live-leases.ts';
import type { LiveWrites } from './live-writes.ts';

/** `missed`: the target was gone already; counts for nothing. `failed`: sent, and no effect: a harness error. */
export type FaultOutcome = 'confirmed' | 'missed' | 'failed';

export interface Fault {
  readonly name: FaultName;
  /** What is done, in one sentence. */
  readonly does: string;
  /** What must be seen before it counts. */
  readonly confirmedBy: string;
  /** How it is undone. */
  readonly healedBy: string;
  /** What a run with this fault alone does not show. */
  readonly cannotShow: string;
  /** Picks among the members that may be touched now. Undefined when none will do. */
  choose(candidates: readonly Member[], context: FaultContext): Member | undefined;
  /** Does it, from intent to healed. Must leave nothing behind, also when `context.stop` is aborted. */
  inject(target: Member, context: FaultContext): Promise<FaultOutcome>;
}

export interface FaultContext {
  readonly crew: Crew;
  readonly leases: LiveLeases;
  readonly writes: LiveWrites;
  /** Whether the workload works on leases: then a holder is what to look for. */
  readonly usesLeases: boolean;
  readonly leaseMs: number;
  /** How long a stopped process stays stopped, drawn from the seed. */
  readonly pauseMs: number;
  /** A share drawn from the seed, for choosing a target. In [0, 1). */
  readonly draw: number;
  /** How long this fault has been looking for a target. */
  readonly waitedMs: number;
  /** Heal now. */
  readonly stop: AbortSignal;
  note(stage: 'act' | 'confirm' | 'heal' | 'healed', outcome?: FaultOutcome, detail?: string): void;
  /** Sleeps, or returns early when `stop` is aborted. */
  sleep(ms: number): Promise<void>;
}

/** One that is writing, else one that has written: a process that has just started has nothing to lose. */
export function preferWriter(candidates: readonly Member[], context: FaultContext): Member | undefined {
  const { writes, draw } = context;
  const writing = candidates.filter((member) => writes.writing(member.incarnation));
  const written = candidates.filter((member) => writes.lastWriteAt(member.incarnation) > 0);
  const pool = [writing, written, candidates].find((some) => some.length > 0) ?? candidates;
  return pool[Math.floor(draw * pool.length)];
}

/** A holder of an unexpired lease before anybody else: the others have nothing to lose. */
export function preferHolder(candidates: readonly Member[], context: FaultContext): Member | undefined {
  if (!context.usesLeases) return preferWriter(candidates, context);
  const holders = candidates.filter((member) => context.leases.holds(member.incarnation));
  const pool = holders.length > 0 ? holders : candidates;
  return pool[Math.floor(context.draw * pool.length)];
}
