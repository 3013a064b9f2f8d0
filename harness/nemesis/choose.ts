/** Whom a fault is done to, and how long: what the faults share. */
import type { Member } from '../process/crew.ts';
import type { Range } from '../scenario/scenario.ts';
import type { Candidates, FaultContext } from './fault.ts';

/** One that is writing, else one that has written: a process that has just started has nothing to lose. */
export function preferWriter(candidates: readonly Member[], context: FaultContext): Member | undefined {
  const { writes } = context;
  const writing = candidates.filter((member) => writes.writing(member.incarnation));
  const written = candidates.filter((member) => writes.lastWriteAt(member.incarnation) > 0);
  const pool = [writing, written, candidates].find((some) => some.length > 0) ?? candidates;
  return oneOf(pool, context);
}

/** A holder of an unexpired lease before anybody else: the others have nothing to lose. */
export function preferHolder(candidates: readonly Member[], context: FaultContext): Member | undefined {
  if (!context.usesLeases) return preferWriter(candidates, context);
  const holders = candidates.filter((member) => context.leases.holds(member.incarnation));
  return oneOf(holders.length > 0 ? holders : candidates, context);
}

export function oneOf(candidates: readonly Member[], context: FaultContext): Member | undefined {
  return candidates[Math.floor(context.draw('target') * candidates.length)];
}

/** `choose` of a fault on one worker, best one that holds a lease. */
export function oneHolder({ members }: Candidates, context: FaultContext): readonly Member[] | undefined {
  const one = preferHolder(members, context);
  return one && [one];
}

/** Drawn between the two. */
export function between({ min, max }: Range, draw: number): number {
  return min + (max - min) * draw;
}

/** A length in leases, drawn, in ms. */
export function leases(range: Range, context: FaultContext, name = 'length'): number {
  return context.leaseMs * between(range, context.draw(name));
}

/** How long a stopped worker stays stopped, in ms. */
export const pauseMs = (context: FaultContext): number => leases(context.plan.pauseLeases, context, 'pause');
