/** How an order to a worker is given, and known to be over: by the records that the worker writes. */
import type { Member } from '../process/crew.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import type { FaultOrder } from '../worker/job.ts';
import { CONFIRMED, type FaultContext, failed, type Seen } from './fault.ts';

/** Sends the order. False: the process is gone. */
export function order(target: Member, context: FaultContext, what: FaultOrder): boolean {
  if (target.child.exit) return false;
  context.crew.order(target, { type: 'order', order: what });
  return true;
}

/** Whether the worker wrote that it begins. */
export async function hasBegun(target: Member, context: FaultContext): Promise<Seen> {
  const seen = await context.until(() => context.notes.hasBegun(context.id, target.incarnation), CONFIRM_MS);
  return seen ? CONFIRMED : failed('the worker was told, and its history shows no sign of it');
}

/** Tells the worker to undo it. */
export function heal(target: Member, { crew, id }: FaultContext): void {
  crew.order(target, { type: 'heal', id });
}

/** Whether the worker wrote that it is over; one that is gone has nothing left to undo. `limitMs`: beside the time for a confirmation. */
export async function hasEnded(target: Member, context: FaultContext, limitMs = 0): Promise<Seen> {
  const { notes, id } = context;
  const over = (): boolean => notes.hasEnded(id, target.incarnation) || target.child.exit !== undefined;
  return (await context.until(over, CONFIRM_MS + limitMs))
    ? CONFIRMED
    : failed('the worker was told to undo it, and its history does not say that it did');
}
