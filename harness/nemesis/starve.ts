import { stamp } from '../history/writer.ts';
import { CONFIRM_MS } from '../process/crew.ts';
import { leases, oneHolder } from './choose.ts';
import { CONFIRMED, type Fault, failed } from './fault.ts';
import { hasEnded, order } from './ordered.ts';

/** A lag is told a little shorter than the block was: the timers around it have a grain. */
const SHARE_SEEN = 0.8;

/** A long computation on the event loop: the process runs, and its heartbeats do not. */
export const starve: Fault = {
  name: 'starve',
  does: "blocks a worker's event loop for longer than its lease, by a busy loop inside of it: no heartbeat goes out",
  needs: 'a length (`faults.options.starve.leases`) above one lease',
  confirmedBy: "a lag of that length in the worker's own record of its event loop",
  healedBy: 'the worker goes on by itself, and writes that it does',
  cannotShow: 'a store that is starved: a server of its own goes on while its client is blocked',
  target: 'workers',
  unmet: ({ scenario }) => {
    const { min } = scenario.faults!.options.starve.leases;
    if (min > 1) return undefined;
    return {
      level: 'refusal',
      what: `Expected \`faults.options.starve.leases.min\` to be more than 1, got ${min}.`,
      why: 'A loop that is blocked for less than a lease costs no lease.',
      fix: 'Set it to 1.2 or more.',
    };
  },
  choose: oneHolder,
  begin([target], context) {
    const worker = target!;
    const ms = leases(context.plan.options.starve.leases, context);
    const from = stamp();
    return {
      inject: () => order(worker, context, { id: context.id, fault: 'starve', ms }),
      async confirm() {
        const lagged = (): boolean => context.notes.worstLagMs(worker.incarnation, from) >= SHARE_SEEN * ms;
        const seen = await context.until(lagged, ms + CONFIRM_MS);
        return seen ? CONFIRMED : failed('it was ordered, and no record of the worker shows such a lag');
      },
      heal: () => {},
      confirmHealed: () => hasEnded(worker, context, ms),
    };
  },
};
