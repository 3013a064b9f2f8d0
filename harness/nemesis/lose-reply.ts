import { oneHolder } from './choose.ts';
import type { Fault } from './fault.ts';
import { onCalls } from './on-calls.ts';

/** The worst moment for a connection to break: the call has acted, and its caller does not know. */
export const loseReply: Fault = {
  name: 'lose-reply',
  does: 'lets calls of a worker act and loses their answers for a time: honest unknown operations, whose lanes are retired',
  needs: 'nothing',
  confirmedBy: "the worker's record that it began; what it did shows in calls of unknown outcome",
  healedBy: "the worker's record that no answer is lost any more",
  cannotShow: 'calls that never arrive: each of these did',
  target: 'workers',
  choose: oneHolder,
  begin([target], context) {
    const { share, leases } = context.plan.options['lose-reply'];
    return onCalls(target!, context, { id: context.id, fault: 'lose-reply', share }, leases);
  },
};
