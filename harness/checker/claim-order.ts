/**
 * S17: items go out in the order in which they came. Judged where the store declares `order: fifo`.
 *
 * Formal condition. Items a and b, enqueued once each, a at once due; a claim c by prefix that both keys have granted b for the first
 * time. Violated iff enqueue(a) < enqueue(b) and enqueue(a) < c in real time, and a was certainly open throughout c: no claim that was
 * sent before c was answered can have taken it.
 *
 *      w1 ├enqueue a┤ ├enqueue b┤
 *      w2                          ├claimNext: b┤          w3 ├claimNext: a┤
 *
 * A claim of unknown outcome may have taken any item of its prefix that was there before it was cut off; not one whose first
 * grant says that it was the first attempt. An item that was handed back, or whose lease ran out, has no place in the order that we
 * know, so only first grants count. A claim that failed, or whose outcome is unknown, may have held an item back while it lasted
 * (`SKIP LOCKED`): nothing is said beside one.
 *
 * Items by the answer of their enqueue, with the running maximum of the instant until which each was open; O(n log n).
 */
import { FLAG, type History, OP, OUTCOME, requestOf } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { firstsOf, type Waiting, waitingItems } from './waiting-items.ts';
import { seconds } from './words.ts';

/** Judges every grant by prefix. */
export function checkClaimOrder(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S17', limit);
  if (declares.order !== 'fifo') return found;
  const { ops } = history;
  const prefixOf = prefixesOf(history);
  const items = waitingItems(history, declares);
  const lines = new Map<string, Line>();
  const beside = unansweredClaims(history);
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.claimNext || ops.outcome[row] !== OUTCOME.accepted) continue;
    const prefix = prefixOf(row);
    const got = items.get(ops.item[row]!);
    if (!got || got.takenFrom < ops.inv[row]!) continue;
    const line = lines.get(prefix) ?? lineOf(history, items, prefix);
    lines.set(prefix, line);
    if (!line.openBefore(ops.inv[row]!, ops.ret[row]!) || beside(ops.inv[row]!, ops.ret[row]!)) continue;
    found.opportunities += 1;
    const sooner = line.openBefore(Math.min(ops.inv[row]!, ops.inv[got.enqueue]!), ops.ret[row]!);
    if (sooner) accuseOvertaking(history, found, row, got, sooner);
  }
  return found;
}

/** What a grant was asked for: of several in one answer only the first row tells. */
function prefixesOf({ ops, prefixes }: History): (row: number) => string {
  const ofBatch = new Map<string, string>();
  return (row) => {
    const own = prefixes.get(row);
    if ((ops.flags[row]! & FLAG.batch) === 0) return own ?? '';
    const request = requestOf(ops, row);
    if (own !== undefined) ofBatch.set(request, own);
    return own ?? ofBatch.get(request) ?? '';
  };
}

function accuseOvertaking(history: History, found: Tally, row: number, got: Waiting, left: Waiting): void {
  const { ops, keys } = history;
  const at = ops.ret[row]!;
  accuse(found, at, () => ({
    guarantee: 'S17',
    item: got.item,
    accused: row,
    rows: [left.enqueue, got.enqueue, row],
    links: [],
    at,
    statement: `${keys[got.item]} was granted although ${keys[left.item]}, which had been enqueued before it, was open; items must go out in the order in which they came`,
    because: [
      `${keys[left.item]} was enqueued by ${seconds(history, ops.ret[left.enqueue]!)}, before ${keys[got.item]} was, whose enqueue was sent at ${seconds(history, ops.inv[got.enqueue]!)}`,
      Number.isFinite(left.takenFrom)
        ? `the first claim that can have taken ${keys[left.item]} was sent at ${seconds(history, left.takenFrom)}`
        : `no claim can have taken ${keys[left.item]}`,
    ],
  }));
}

/** The items of one prefix. */
interface Line {
  /** An item that was enqueued for certain before an instant, and that nobody can have taken by another one. */
  openBefore(enqueued: number, by: number): Waiting | undefined;
}

function lineOf({ ops, keys }: History, items: ReadonlyMap<number, Waiting>, prefix: string): Line {
  const sorted = [...items.values()]
    .filter(({ item, places }) => places && keys[item]!.startsWith(prefix))
    .sort((a, b) => ops.ret[a.enqueue]! - ops.ret[b.enqueue]!);
  const longest = firstsOf(sorted, (a, b) => a.takenFrom > b.takenFrom);
  return {
    openBefore(enqueued, by) {
      let low = 0;
      for (let high = sorted.length; low < high; ) {
        const middle = (low + high) >> 1;
        if (ops.ret[sorted[middle]!.enqueue]! < enqueued) low = middle + 1;
        else high = middle;
      }
      const open = longest[low - 1];
      return open && open.takenFrom > by ? open : undefined;
    },
  };
}

/** Whether a claim that failed, or whose outcome is unknown, was under way in a stretch of time. */
function unansweredClaims({ ops }: History): (inv: number, ret: number) => boolean {
  const rows: number[] = [];
  for (let row = 0; row < ops.length; row++) {
    const claims = ops.op[row] === OP.claim || ops.op[row] === OP.claimNext;
    if (claims && ops.outcome[row]! >= OUTCOME.fail) rows.push(row);
  }
  rows.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
  const latest = firstsOf(rows, (a, b) => ops.ret[a]! > ops.ret[b]!);
  return (inv, ret) => {
    let low = 0;
    for (let high = rows.length; low < high; ) {
      const middle = (low + high) >> 1;
      if (ops.inv[rows[middle]!]! <= ret) low = middle + 1;
      else high = middle;
    }
    const last = latest[low - 1];
    return last !== undefined && ops.ret[last]! >= inv;
  };
}
