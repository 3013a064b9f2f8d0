/**
 * O7, renewals at the edge: a lease was renewed when little of it was left, and a renewal was tried when it was over. What a store does
 * with the end of a lease shows nowhere else.
 *
 * Counted from the calls: the last quarter counts from the latest instant at which the lease can have been set, the end as in S11.
 */
import { OP, OUTCOME } from '../history/history.ts';
import { latestEnd, leaseMs, settersOf } from '../measure/lease-bounds.ts';
import { isDefinite, type Tenure } from '../measure/tenures.ts';
import { within } from '../measure/window.ts';
import { claims, type Evidence, lacks, type ObligationRule } from './rule.ts';

/** Share of a lease after which a renewal is late. */
const LATE = 0.75;

export const renewedLate: ObligationRule = {
  id: 'O7.late',
  name: 'renewed at the last moment',
  statement: 'A heartbeat was accepted, in main, that was sent in the last quarter of its lease.',
  min: 5,
  advice:
    'Run longer (`phases.main.max`), or make the lease shorter (`lease`): some tasks renew at the last moment.',
  asked: (context) => context.lastMoment && claims(context),
  notTested: (context) => lacks(context, 'heartbeat'),
  count: (evidence) =>
    count(evidence, (tenure, row) => {
      const { ops } = evidence.history;
      if (ops.outcome[row] !== OUTCOME.accepted) return false;
      const before = settersOf(ops, tenure).filter(
        (setter) => setter !== row && ops.inv[setter]! < ops.inv[row]!,
      );
      const set = Math.max(...before.map((setter) => ops.ret[setter]!));
      const lasts = Math.max(...before.map((setter) => leaseMs(ops, tenure, setter)));
      return ops.inv[row]! >= set + LATE * lasts * 1e6;
    }),
};

export const renewedAfter: ObligationRule = {
  id: 'O7.after',
  name: 'renewal after the end',
  statement: 'A heartbeat was answered, in main, that was sent when its lease was certainly over.',
  min: 1,
  advice:
    'Stop workers for longer than a lease (`faults.pause`, `faults.twin`, `faults.pauseLeases`), and let zombies be late.',
  asked: (context) => context.lastMoment && claims(context),
  notTested: (context) => lacks(context, 'heartbeat'),
  count: (evidence, { declares }) =>
    count(evidence, (tenure, row) => {
      const { ops } = evidence.history;
      return isDefinite(ops, row) && ops.inv[row]! > latestEnd(ops, tenure, declares, ops.inv[row]! - 1);
    }),
};

/** Heartbeats of main that were sent as asked. */
function count({ history, tenures, main }: Evidence, is: (tenure: Tenure, row: number) => boolean): number {
  const { ops } = history;
  let seen = 0;
  for (const tenure of tenures.all) {
    for (const row of tenure.calls)
      if (ops.op[row] === OP.heartbeat && within(main, ops.inv[row]!) && is(tenure, row)) seen += 1;
  }
  return seen;
}
