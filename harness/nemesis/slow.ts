import { oneHolder } from './choose.ts';
import type { Fault } from './fault.ts';
import { onCalls } from './on-calls.ts';

/** A network that is slow: the call arrives late, or its answer does. */
export const slow: Fault = {
  name: 'slow',
  does: 'delays calls of a worker for a time, before they are sent or before their answer is handed on',
  needs: 'nothing',
  confirmedBy: "the worker's record that it began; what it did shows in the length of the calls",
  healedBy: "the worker's record that no call is held back any more",
  cannotShow: 'packets that are lost or doubled: each call still acts once',
  target: 'workers',
  choose: oneHolder,
  begin([target], context) {
    const { share, delayMs, leases } = context.plan.options.slow;
    return onCalls(target!, context, { id: context.id, fault: 'slow', share, delayMs }, leases);
  },
};
