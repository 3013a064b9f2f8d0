/**
 * O3, zombies: a worker was stopped past the end of its lease, ran again, and its holder call reached the store after
 * somebody else certainly had the item.
 *
 * Counted per lease. "Stopped" is the process state that the kernel showed; "reached" is a definite answer to the call.
 */
import type { Operations } from '../history/history.ts';
import { type ClockBounds, latestEnd } from '../measure/lease-bounds.ts';
import { isDefinite, type Tenure } from '../measure/tenures.ts';
import { claims, lacks, type ObligationRule } from './rule.ts';

type Stop = { readonly from: number; readonly to: number };

export const zombies: ObligationRule = {
  id: 'O3',
  name: 'zombies',
  statement:
    'A worker was seen stopped for longer than its lease had left, ran again, and made a call under that lease, with a definite answer, after a later grant of the item was certain.',
  min: 5,
  advice:
    'Stop workers for longer than a lease (`faults.pauseLeases`) and draw more `late` and `stubborn` ones (`workload.zombies`).',
  asked: claims,
  notTested: (context) => lacks(context, 'heartbeat', 'complete', 'nack', 'release'),
  count: (evidence, { declares }) => {
    const { ops } = evidence.history;
    let seen = 0;
    for (const life of evidence.history.incarnations.values()) {
      if (life.role !== 'worker' || life.stopped.length === 0) continue;
      for (const tenure of evidence.tenures.byIncarnation.get(life.id) ?? []) {
        if (tenure.supersededAt === Number.POSITIVE_INFINITY) continue;
        if (life.stopped.some((stop) => wokeTooLate(ops, tenure, stop, declares))) seen += 1;
      }
    }
    return seen;
  },
};

function wokeTooLate(ops: Operations, tenure: Tenure, stop: Stop, bounds: ClockBounds): boolean {
  if (stop.to === Number.POSITIVE_INFINITY || ops.ret[tenure.grant]! >= stop.from) return false;
  // A heartbeat in flight at the stop may have acted up to the stop.
  if (stop.to <= latestEnd(ops, tenure, bounds, stop.from, stop.from)) return false;
  return tenure.calls.some(
    (row) => ops.inv[row]! >= stop.to && ops.inv[row]! > tenure.supersededAt && isDefinite(ops, row),
  );
}
