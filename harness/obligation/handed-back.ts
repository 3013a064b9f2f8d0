/**
 * O14, handed back: what a holder gave back came to another grant, and an item's attempts were used up.
 *
 * Counted from the answers of clients: the second part does not believe a state that the store shows, but counts grants against the
 * limit of the enqueue.
 */
import { OP, type Operations, OUTCOME } from '../history/history.ts';
import type { Tenure } from '../measure/tenures.ts';
import { within } from '../measure/window.ts';
import { claims, type Evidence, lacks, type ObligationRule } from './rule.ts';

export const handedBack: ObligationRule = {
  id: 'O14.again',
  name: 'handed back, taken again',
  statement: 'A release or nack was accepted in main, and the item was granted again.',
  min: 1,
  advice: 'Give `release` and `nack` more weight among the final calls (`workload.finals`).',
  asked: (context) =>
    claims(context) && (context.workload.includes('release') || context.workload.includes('nack')),
  notTested: (context) => lacks(context, 'release', 'nack'),
  count: ({ history, tenures, main }) => {
    const { ops } = history;
    const gaveBack = (tenure: Tenure): boolean =>
      tenure.calls.some(
        (row) =>
          (ops.op[row] === OP.release || ops.op[row] === OP.nack) &&
          ops.outcome[row] === OUTCOME.accepted &&
          within(main, ops.inv[row]!),
      );
    let seen = 0;
    for (const tenure of tenures.all) if (tenure.next !== undefined && gaveBack(tenure)) seen += 1;
    return seen;
  },
};

export const usedUp: ObligationRule = {
  id: 'O14.dead',
  name: 'attempts used up',
  statement:
    'An item was granted as often as its limit allows, and the last holder handed it back by an accepted nack.',
  min: 1,
  advice: 'Run longer, or give `nack` a weight among the final calls (`workload.finals`).',
  asked: ({ poison }) => poison,
  count: (evidence) => {
    const { ops } = evidence.history;
    let seen = 0;
    let grants = 0;
    let item = -1;
    for (const tenure of evidence.tenures.all) {
      grants = tenure.item === item ? grants + 1 : 1;
      item = tenure.item;
      if (grants === limitOf(evidence, item) && tenure.calls.some((row) => nacked(ops, row))) seen += 1;
    }
    return seen;
  },
};

const nacked = (ops: Operations, row: number): boolean =>
  ops.op[row] === OP.nack && ops.outcome[row] === OUTCOME.accepted;

/** The limit of the accepted enqueue; 0 where there is none. */
function limitOf({ history, tenures }: Evidence, item: number): number {
  const { ops } = history;
  const row = tenures.others
    .get(item)
    ?.find((one) => ops.op[one] === OP.enqueue && ops.outcome[one] === OUTCOME.accepted);
  return row === undefined ? 0 : ops.attempt[row]!;
}
