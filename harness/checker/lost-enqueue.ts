/**
 * S6: every item whose enqueue was accepted is in the final scan.
 *
 * Violated iff acc enqueue(k) < the start of the final scan, the scan is complete and lacks k, and nothing may have taken k
 * away: no finite retention of a finished item, no claim on a store that forgets an item when it hands it out.
 *
 *      w1   ├enqueue k┤ accepted
 *      scan               ├page 1┤ ├page 2, the last┤      k on neither
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { lastPage, scanIndex } from './evidence.ts';

export function checkEnqueues(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S6', limit);
  const { ops, scan, keys } = history;
  if (!scan?.complete) return found;
  const shown = scanIndex(history);
  const takenAway = mayBeGone(history, declares);
  const first = new Int32Array(keys.length).fill(-1);
  for (let row = 0; row < ops.length; row++) {
    if (
      ops.op[row] !== OP.enqueue ||
      ops.outcome[row] !== OUTCOME.accepted ||
      !(ops.ret[row]! < scan.startedAt)
    )
      continue;
    const item = ops.item[row]!;
    if (first[item]! < 0 || ops.ret[row]! < ops.ret[first[item]!]!) first[item] = row;
  }
  const at = ops.ret[lastPage(history)] ?? scan.startedAt;
  for (let item = 0; item < keys.length; item++) {
    const row = first[item]!;
    if (row < 0) continue;
    found.opportunities += 1;
    if (shown[item]! >= 0 || takenAway[item] === 1) continue;
    accuse(found, at, () => ({
      guarantee: 'S6',
      item,
      accused: row,
      rows: [row],
      links: [],
      read: 'absent',
      at,
      statement: `${keys[item]} was enqueued and is not in the final scan; an accepted enqueue must not be lost`,
      because: [
        'the enqueue was accepted before the scan began, the scan was read to its end, and no call removes an item',
      ],
    }));
  }
  return found;
}

/** Items that the declarations allow to be gone. */
function mayBeGone({ ops, keys }: History, { retentionMs, delivery, maxAttempts }: Declares): Uint8Array {
  const gone = new Uint8Array(keys.length);
  const forgets = retentionMs !== 'forever';
  if (!forgets && delivery === 'at-least-once') return gone;
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.fail || outcome === OUTCOME.refused) continue;
    const op = ops.op[row];
    const item = ops.item[row]!;
    const claimed = op === OP.claim || op === OP.claimNext;
    // A claim takes the item away for good, or uses up its last attempt: then a dead item is forgotten like a finished one.
    if (claimed && (delivery === 'at-most-once' || (forgets && maxAttempts))) {
      // A claim of unknown outcome that names no item may have taken any.
      if (item < 0 && outcome === OUTCOME.info) return gone.fill(1);
      if (item >= 0) gone[item] = 1;
    }
    if (forgets && item >= 0 && (op === OP.complete || op === OP.nack)) gone[item] = 1;
  }
  return gone;
}
