/**
 * O17, twins: an item was granted again to the same owner name while the older attempt under that name was alive, and
 * the older one then called. A fence that compares names passes every other test (mutant M03).
 *
 * Counted per older lease. Its call is the proof that it was alive.
 */
import type { Operations } from '../history/history.ts';
import { isDefinite, type Tenure } from '../measure/tenures.ts';
import { claims, lacks, type ObligationRule, unfenced } from './rule.ts';

export const twins: ObligationRule = {
  id: 'O17',
  name: 'twins',
  statement:
    'An item was granted again to the same owner name, and the older attempt under that name, still alive, then made a call with a definite answer.',
  min: 3,
  advice:
    'Use the twin fault (`faults.twin`), more items that only one label claims (`workload.slots`), or more than one lane (`lanes`).',
  asked: claims,
  notTested: (context) => lacks(context, 'heartbeat', 'complete', 'nack', 'release') ?? unfenced(context),
  count: ({ history, tenures }) => {
    let seen = 0;
    for (const tenure of tenures.all) {
      if (tenure.supersededAt === Number.POSITIVE_INFINITY) continue;
      if (metItsNamesake(history.ops, tenure)) seen += 1;
    }
    return seen;
  },
};

function metItsNamesake(ops: Operations, older: Tenure): boolean {
  const last = older.calls.findLast((row) => isDefinite(ops, row));
  if (last === undefined || ops.inv[last]! <= older.supersededAt) return false;
  for (let newer = older.next; newer; newer = newer.next) {
    const isLater = ops.generation[newer.grant] !== ops.generation[older.grant];
    const sameName = ops.owner[newer.grant] === ops.owner[older.grant];
    if (isLater && sameName && ops.ret[newer.grant]! < ops.inv[last]!) return true;
  }
  return false;
}
