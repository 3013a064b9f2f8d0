/**
 * S9: a call that was refused, or failed for certain, left nothing behind.
 *
 * Violated iff the final scan shows the request of a refused or failed enqueue or completion, or, where the store shows no
 * requests, its value, and no completion of the item that may have acted carries the same value; or an item is in the final scan,
 * and all its enqueues were refused or failed. Either the store changed something and denied it, or the
 * adapter's error table calls an error definite that is not.
 *
 *      w1   ├complete v┤ refused
 *      scan                ├─done, result v─┤
 */
import { type History, OP, OUTCOME, requestOf, type ScanRow } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { scanIndex } from './evidence.ts';
import { type Made, possibleEnqueues, toldByFailure, writes } from './phantom.ts';

export function checkFailures(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S9', limit);
  const { ops, scan, keys } = history;
  if (!scan) return found;
  const index = scanIndex(history);
  const explained = explainedItems(history, declares, index);
  const made = declares.items === 'enqueued' ? possibleEnqueues(history) : undefined;
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row]!;
    const outcome = ops.outcome[row];
    if (
      (op !== OP.complete && op !== OP.enqueue) ||
      (outcome !== OUTCOME.refused && outcome !== OUTCOME.fail)
    )
      continue;
    const item = ops.item[row]!;
    if (item < 0 || index[item]! < 0) continue;
    const shown = scan.rows.at(index[item]!)!;
    const at = ops.ret[shown.row]!;
    found.opportunities += 1;
    const left =
      op === OP.enqueue
        ? enqueued(history, declares, row, shown) || onlyMaker(history, made, row, shown)
        : explained[item] === 0 && completed(history, declares, row, shown);
    if (!left) continue;
    const what = op === OP.enqueue ? 'enqueue' : 'completion';
    const how = outcome === OUTCOME.refused ? 'was refused' : 'failed for certain';
    accuse(found, at, () => ({
      guarantee: 'S9',
      item,
      accused: row,
      rows: [row],
      links: [],
      read: shown,
      at,
      statement: `the ${what} of ${keys[item]} by request ${requestOf(ops, row)} ${how}, and the final scan shows its effect; a call that fails must change nothing`,
      because: [`no other ${what} of this item that may have acted explains what the scan shows`, BLAME],
    }));
  }
  return found;
}

/** Who is to blame cannot be told from outside. */
const BLAME =
  "the fault is the store's, which changed something and denied it, or lies in the adapter's error table (`definiteErrors`), which calls an error definite that is not";

/** Whether this is the first of the enqueues without effect, and there is no other that can have made the item. */
const onlyMaker = (history: History, made: Made | undefined, row: number, shown: ScanRow): boolean =>
  made !== undefined &&
  made.denied[shown.item] === history.ops.inv[row] &&
  toldByFailure(made, shown.item, history.ops.ret[shown.row]!);

const enqueued = ({ ops }: History, declares: Declares, row: number, shown: ScanRow): boolean =>
  declares.showsRequest && shown.enqueuedBy !== undefined && shown.enqueuedBy === requestOf(ops, row);

/** A row that shows neither request nor value tells nothing of who wrote it. */
function completed(history: History, declares: Declares, row: number, shown: ScanRow): boolean {
  if (shown.state !== 'done') return false;
  const byRequest = declares.showsRequest && shown.completedBy !== undefined;
  const byValue = shown.value >= 0 && history.ops.value[row]! >= 0;
  return (byRequest || byValue) && writes(history, declares, row, shown);
}

/** Items whose result a completion that may have acted explains. */
function explainedItems(history: History, declares: Declares, index: Int32Array): Uint8Array {
  const { ops, scan, keys } = history;
  const explained = new Uint8Array(keys.length);
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row];
    if (ops.op[row] !== OP.complete || (outcome !== OUTCOME.accepted && outcome !== OUTCOME.info)) continue;
    const item = ops.item[row]!;
    if (item < 0 || index[item]! < 0) continue;
    if (writes(history, declares, row, scan!.rows.at(index[item]!)!)) explained[item] = 1;
  }
  return explained;
}
