/**
 * O8, clocks apart: two workers that were alive at one time read wall clocks that differed by more than a lease. So a lease that
 * ends by somebody's wall clock would have ended too early.
 *
 * Counted in what workers read, one for each worker whose clock was apart from another's.
 */
import type { History, WallReading } from '../history/history.ts';
import { within } from '../measure/window.ts';
import type { ObligationRule } from './rule.ts';

export const skewed: ObligationRule = {
  id: 'O8',
  name: 'clocks apart',
  statement:
    'A worker read a wall clock, in main, that differed by more than a lease from the one that another worker, alive at the same time, had read last.',
  min: 1,
  advice: 'Give `faults.skew` more weight, or a longer distance (`faults.options.skew.by`).',
  asked: ({ faults }) => faults.has('skew'),
  count: ({ history, main }, { leaseMs }) => {
    const last = new Map<number, number>();
    const apart = new Set<number>();
    for (const reading of [...history.wall].sort((a, b) => a.at - b.at)) {
      const own = offsetOf(reading);
      last.set(reading.incarnation, own);
      if (!within(main, reading.at)) continue;
      for (const [other, offset] of last) {
        if (isAlive(history, other, reading.at) && Math.abs(own - offset) > leaseMs)
          apart.add(reading.incarnation);
      }
    }
    return apart.size;
  },
};

/** Wall clock minus monotonic clock, ms. */
const offsetOf = ({ at, wallMs }: WallReading): number => wallMs - at / 1e6;

const isAlive = ({ incarnations }: History, id: number, at: number): boolean =>
  (incarnations.get(id)?.exitedAt ?? Number.POSITIVE_INFINITY) > at;
