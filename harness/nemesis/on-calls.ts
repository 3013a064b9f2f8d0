/** Faults on calls of one worker: what `slow` and `lose-reply` share. */
import type { Member } from '../process/crew.ts';
import type { Range } from '../scenario/scenario.ts';
import type { FaultOrder } from '../worker/job.ts';
import { leases } from './choose.ts';
import type { FaultContext, Injection } from './fault.ts';
import { hasBegun, hasEnded, heal, order } from './ordered.ts';

/** A call may wait so long for its store before its answer is lost or late. */
const CALL_MS = 10_000;

/** Goes on for a length that is drawn, then is ended, and has ended once no call is held back any more. */
export function onCalls(worker: Member, context: FaultContext, what: FaultOrder, length: Range): Injection {
  return {
    inject: () => order(worker, context, what),
    confirm: () => hasBegun(worker, context),
    last: () => context.sleep(leases(length, context)),
    heal: () => heal(worker, context),
    confirmHealed: () => hasEnded(worker, context, CALL_MS),
  };
}
