/**
 * S8: every grant, row and result stems from a call that may have made it.
 *
 * Violated iff, for a store whose items must be enqueued, a grant or a scanned row of k was answered before any possible
 * enqueue of k was sent, or a grant's payload is that of none of them; or a scanned item is done and no completion that may
 * have acted carries what it shows. A possible call is one that was accepted or is unknown. An item that a refused or failed
 * enqueue names, and a result that a refused or failed completion carries, are told by S9 where the final scan was read; a result
 * in place of an accepted one by S7.
 *
 *      w1   ├claim k┤ accepted
 *      w2               ├enqueue k┤        the only one
 */
import { type History, OP, OUTCOME, requestOf, type ScanRow } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { scanIndex } from './evidence.ts';
import { shows } from './words.ts';

export function checkPhantoms(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S8', limit);
  if (declares.items === 'enqueued') {
    const made = possibleEnqueues(history);
    grantsWithoutSource(history, made, found);
    rowsWithoutSource(history, made, found);
  }
  // A finite retention allows an item that finished long ago to be made anew: who wrote a result is then open.
  if (declares.retentionMs === 'forever') resultsWithoutSource(history, declares, found);
  else found.opportunities += history.scan?.rows.length ?? 0;
  return found;
}

export interface Made {
  /** The first instant at which the item may have been made; +Infinity for never. */
  readonly from: Float64Array;
  /** When the first enqueue that was refused, or failed for certain, was sent; +Infinity for never. */
  readonly denied: Float64Array;
  /** Payload of all possible enqueues; -1 where there is none, -2 where they differ. */
  readonly value: Int32Array;
}

/** What calls may have made of each item. */
export function possibleEnqueues({ ops, keys }: History): Made {
  const from = new Float64Array(keys.length).fill(Number.POSITIVE_INFINITY);
  const denied = from.slice();
  const value = new Int32Array(keys.length).fill(-1);
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row];
    if (ops.op[row] !== OP.enqueue) continue;
    const item = ops.item[row]!;
    if (outcome === OUTCOME.fail || outcome === OUTCOME.refused) {
      if (ops.inv[row]! < denied[item]!) denied[item] = ops.inv[row]!;
      continue;
    }
    if (ops.inv[row]! < from[item]!) from[item] = ops.inv[row]!;
    value[item] = value[item] === -1 || value[item] === ops.value[row] ? ops.value[row]! : -2;
  }
  return { from, denied, value };
}

function grantsWithoutSource(history: History, made: Made, found: Tally): void {
  const { ops, keys, texts } = history;
  const shown = scanIndex(history);
  for (let row = 0; row < ops.length; row++) {
    const op = ops.op[row];
    const item = ops.item[row]!;
    if ((op !== OP.claim && op !== OP.claimNext) || ops.outcome[row] !== OUTCOME.accepted || item < 0)
      continue;
    found.opportunities += 1;
    const at = ops.ret[row]!;
    if (made.from[item]! > at) {
      if (shown[item]! >= 0 && toldByFailure(made, item, at)) continue;
      accuse(found, at, () => ({
        guarantee: 'S8',
        item,
        accused: row,
        rows: [row],
        links: [],
        at,
        statement: `${keys[item]} was granted, and nobody had enqueued it; an item must not come from nowhere`,
        because: ['no enqueue of this key that may have acted was sent before the grant was answered'],
      }));
      continue;
    }
    const payload = ops.value[row]!;
    const sent = made.value[item]!;
    if (payload < 0 || sent < 0 || payload === sent) continue;
    accuse(found, at, () => ({
      guarantee: 'S8',
      item,
      accused: row,
      rows: [row],
      links: [],
      at,
      statement: `${keys[item]} was granted with payload ${texts.at(payload)}, and enqueued with ${texts.at(sent)}; a payload must not change`,
      because: ['no enqueue of this key that may have acted carries the payload that the grant showed'],
    }));
  }
}

/** Whether S9 tells it: of all enqueues, only ones that said they had no effect can have made the item. */
export const toldByFailure = (made: Made, item: number, at: number): boolean =>
  made.from[item]! === Number.POSITIVE_INFINITY && made.denied[item]! <= at;

function rowsWithoutSource(history: History, made: Made, found: Tally): void {
  const { ops, keys } = history;
  for (const shown of history.scan?.rows ?? []) {
    const at = ops.ret[shown.row]!;
    if (!(made.from[shown.item]! > at) || toldByFailure(made, shown.item, at)) continue;
    accuse(found, at, () => ({
      guarantee: 'S8',
      item: shown.item,
      accused: shown.row,
      rows: [],
      links: [],
      read: shown,
      at,
      statement: `${keys[shown.item]} is in the final scan, and nobody had enqueued it; an item must not come from nowhere`,
      because: ['no enqueue of this key that may have acted was sent before the scan showed it'],
    }));
  }
}

function resultsWithoutSource(history: History, declares: Declares, found: Tally): void {
  const { ops, keys, scan } = history;
  const rows = scan?.rows ?? [];
  found.opportunities += rows.length;
  const index = scanIndex(history);
  const told = new Uint8Array(keys.length);
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (ops.op[row] !== OP.complete || item < 0 || index[item]! < 0 || told[item] === 1) continue;
    const shown = rows.at(index[item]!)!;
    // An accepted one that the scan should show is told by S7, a refused or failed one that it does show by S9.
    const outcome = ops.outcome[row];
    const mustShow = outcome === OUTCOME.accepted && ops.ret[row]! < ops.inv[shown.row]!;
    const refuted = outcome === OUTCOME.refused || outcome === OUTCOME.fail;
    const canShow =
      (refuted || ops.inv[row]! <= ops.ret[shown.row]!) && writes(history, declares, row, shown);
    if (mustShow || canShow) told[item] = 1;
  }
  for (const shown of rows) {
    if (shown.state !== 'done' || told[shown.item] === 1) continue;
    const at = ops.ret[shown.row]!;
    accuse(found, at, () => ({
      guarantee: 'S8',
      item: shown.item,
      accused: shown.row,
      rows: [],
      links: [],
      read: shown,
      at,
      statement: `${keys[shown.item]} is finished in the final scan, which ${shows(history, shown)}, and no completion can have written that; a result must not come from nowhere`,
      because: [
        'no completion of this item that may have acted was sent before the scan showed it with this result',
      ],
    }));
  }
}

/** Whether what a row shows is what a completion carried: its request where the store shows that, and its value. */
export function writes(history: History, declares: Declares, row: number, shown: ScanRow): boolean {
  const { ops } = history;
  if (declares.showsRequest && shown.completedBy !== undefined && shown.completedBy !== requestOf(ops, row))
    return false;
  return shown.value < 0 || ops.value[row]! < 0 || shown.value === ops.value[row];
}
