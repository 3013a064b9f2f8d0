/**
 * O11, sweeps of the store: a store that hands lapsed leases back by a sweep of its own did so, several times, in main.
 *
 * Counted from grants: an item whose lease ran out was granted again, so a sweep came between the earliest end of that lease and the
 * answer of the grant. Stretches that do not overlap are sweeps of their own.
 */
import { earliestEnd } from '../measure/lease-bounds.ts';
import { reclaimsOf } from '../measure/reclaims.ts';
import { within } from '../measure/window.ts';
import { claims, type ObligationRule } from './rule.ts';

export const reaperRuns: ObligationRule = {
  id: 'O11',
  name: 'sweeps of the store',
  statement:
    'The sweep of the store handed back a lapsed lease, in main: the item was granted again. Each sweep counts once.',
  min: 3,
  advice:
    'Run longer than several sweeps (`phases.main.max`), or kill more often (`faults.every`, `faults.kill`).',
  asked: (context) => claims(context) && context.declares.reapIntervalMs > 0,
  count: ({ history, tenures, main }, { declares }) => {
    const { ops } = history;
    const stretches = reclaimsOf(history, tenures)
      .filter(({ by }) => within(main, ops.inv[by.grant]!))
      .map(({ lapsed, by }) => ({ from: earliestEnd(ops, lapsed, declares), to: ops.ret[by.grant]! }))
      .sort((a, b) => a.to - b.to);
    let seen = 0;
    let last = Number.NEGATIVE_INFINITY;
    for (const { from, to } of stretches) {
      if (!(from > last)) continue;
      seen += 1;
      last = to;
    }
    return seen;
  },
};
