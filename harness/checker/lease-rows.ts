/**
 * Rows by leased item. A fenced write belongs to two: to the entry that it writes, and to the item whose lease it names. It is a
 * holder call of the latter (S15b, S11, S21). Pure.
 */
import { groupByItem, type History, OP } from '../history/history.ts';
import { sameRequest } from './token-rows.ts';

/** Row of a fenced write → the item whose lease it names. Of several writes of a commit under one lease, only the first. */
export type Guarded = ReadonlyMap<number, number>;

/** The fenced writes of a history. */
export function guardedWrites({ ops, fences }: History): Guarded {
  const guarded = new Map<number, number>();
  for (const [row, lock] of fences) {
    let repeats = false;
    for (let before = row - 1; before >= 0 && sameRequest(ops, before, row); before--)
      repeats ||= fences.get(before) === lock;
    if (!repeats) guarded.set(row, lock);
  }
  return guarded;
}

/** Rows of each item, with the writes that its lease fences: `order[start[i] .. start[i + 1]]`. */
export function groupByLease(
  { ops, keys }: History,
  guarded: Guarded,
): { readonly start: Uint32Array; readonly order: Uint32Array } {
  const own = groupByItem(ops, keys.length);
  const others = [...guarded].filter(([row, lock]) => ops.item[row] !== lock);
  if (others.length === 0) return own;
  const more = new Map<number, number[]>();
  for (const [row, lock] of others) {
    const known = more.get(lock);
    if (known) known.push(row);
    else more.set(lock, [row]);
  }
  const start = new Uint32Array(keys.length + 1);
  const order = new Uint32Array(own.order.length + others.length);
  let next = 0;
  for (let item = 0; item < keys.length; item++) {
    start[item] = next;
    const rows = own.order.subarray(own.start[item]!, own.start[item + 1]!);
    order.set(rows, next);
    next += rows.length;
    const fenced = more.get(item);
    if (!fenced) continue;
    order.set(fenced, next);
    next += fenced.length;
  }
  start[keys.length] = next;
  return { start, order };
}

/** Whether its lease is all that the commit at this row asked for: then a refusal as stale or gone speaks of that lease. */
export function asksOnlyForItsLease({ ops, fences, ifVersions, requires }: History, row: number): boolean {
  const lock = fences.get(row);
  let first = row;
  while (first > 0 && sameRequest(ops, first - 1, row)) first -= 1;
  if (requires.has(first)) return false;
  for (let at = first; at < ops.length && sameRequest(ops, at, row); at++) {
    const other = fences.get(at);
    if (ops.op[at] !== OP.commit || ifVersions.has(at) || (other !== undefined && other !== lock))
      return false;
  }
  return true;
}
