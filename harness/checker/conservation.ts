/**
 * S19: the final scan holds as many items, and as many finished ones, as the accepted calls made, give or take the unknown.
 *
 * Violated iff the scan shows an item twice, or not  accepted <= shown <= accepted + unknown  for the items that were
 * enqueued, or for those that were completed. With a finite retention only the upper bounds hold.
 *
 *      3 enqueues accepted, none unknown          scan: 2 items
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Draft, type Tally, tally } from './draft.ts';
import { lastPage } from './evidence.ts';

export function checkConservation(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S19', limit);
  const { ops, scan, keys } = history;
  if (!scan?.complete) return found;
  found.opportunities = scan.rows.length;
  const page = lastPage(history);
  const at = ops.ret[page] ?? scan.startedAt;
  const say = (item: number, statement: string, because: string): void =>
    accuse(
      found,
      at,
      (): Draft => ({
        guarantee: 'S19',
        item,
        accused: page,
        rows: page < 0 ? [] : [page],
        links: [],
        at,
        statement,
        because: [because],
      }),
    );
  const seen = new Uint8Array(keys.length);
  let distinct = 0;
  let finished = 0;
  for (const shown of scan.rows) {
    if (seen[shown.item] === 1) {
      say(
        shown.item,
        `${keys[shown.item]} is in the final scan twice; a key names one item`,
        'pages come in key order and do not overlap',
      );
      continue;
    }
    seen[shown.item] = 1;
    distinct += 1;
    if (shown.state === 'done') finished += 1;
  }
  const forever = declares.retentionMs === 'forever';
  if (declares.items === 'enqueued' && declares.delivery === 'at-least-once') {
    const enqueued = countItems(history, OP.enqueue, scan.startedAt);
    const text = `${enqueued.certain} items were enqueued for certain and ${enqueued.possible - enqueued.certain} perhaps`;
    compare('items', distinct, enqueued, text, forever, say);
  }
  const completed = countItems(history, OP.complete, scan.startedAt);
  const text = `${completed.certain} items were completed for certain and ${completed.possible - completed.certain} perhaps`;
  compare('finished items', finished, completed, text, forever && declares.delivery === 'at-least-once', say);
  return found;
}

interface Count {
  readonly certain: number;
  readonly possible: number;
}

function compare(
  what: string,
  shown: number,
  count: Count,
  text: string,
  lower: boolean,
  say: (item: number, statement: string, because: string) => void,
): void {
  if ((lower && shown < count.certain) || shown > count.possible) {
    say(-1, `the final scan shows ${shown} ${what}, and ${text}; nothing may be lost or made up`, text);
  }
}

/** Distinct items that calls of one kind certainly touched before `instant`, or may have touched. */
function countItems({ ops, keys }: History, op: number, instant: number): Count {
  const state = new Uint8Array(keys.length);
  for (let row = 0; row < ops.length; row++) {
    const outcome = ops.outcome[row];
    const item = ops.item[row]!;
    if (ops.op[row] !== op || item < 0 || outcome === OUTCOME.fail || outcome === OUTCOME.refused) continue;
    const certain = outcome === OUTCOME.accepted && ops.ret[row]! < instant;
    state[item] = Math.max(state[item]!, certain ? 2 : 1);
  }
  let certain = 0;
  let possible = 0;
  for (const one of state) {
    if (one === 2) certain += 1;
    if (one > 0) possible += 1;
  }
  return { certain, possible };
}
