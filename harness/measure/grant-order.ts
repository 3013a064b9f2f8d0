/** Whether items were first granted in the order in which they were enqueued. Pure; O(n log n). */
import { type History, OP, type Operations, OUTCOME } from '../history/history.ts';
import type { Share } from './share.ts';
import { isGrant, type Tenures } from './tenures.ts';

/** An item of a pool: when it was put in, and when somebody first may have been granted it. */
interface Waiting {
  readonly enqueuedBy: number;
  readonly firstClaim: number;
}

/**
 * First grants of `claimNext` that passed over an item of the same pool (the part of the key up to its last `/`): that one
 * was enqueued before this one was sent, and nobody was seen to be granted it before this grant was answered ÷ all first grants of items whose
 * enqueue was seen. Items with a not-before
 * instant are left out. A claim of unknown outcome may have taken an item unseen: this is a measurement, no accusation.
 */
export function grantsOutOfOrder(history: History, _tenures: Tenures): Share {
  const { ops, keys } = history;
  const enqueue = rowsOfEnqueue(history);
  const firsts = firstClaims(ops, keys.length);
  const pools = new Map<string, Waiting[]>();
  for (const [item, row] of enqueue) {
    const pool = poolOf(keys[item]!);
    const waiting = { enqueuedBy: ops.ret[row]!, firstClaim: firsts[item]?.inv ?? Number.POSITIVE_INFINITY };
    const known = pools.get(pool);
    if (known) known.push(waiting);
    else pools.set(pool, [waiting]);
  }
  const longest = new Map([...pools].map(([pool, items]) => [pool, longestWaits(items)]));
  let seen = 0;
  let of = 0;
  for (const [item, row] of enqueue) {
    const first = firsts[item];
    if (first === undefined || ops.op[first.row] !== OP.claimNext) continue;
    of += 1;
    if (latestFirstClaim(longest.get(poolOf(keys[item]!))!, ops.inv[row]!) > first.ret) seen += 1;
  }
  return { seen, of };
}

const poolOf = (key: string): string => key.slice(0, key.lastIndexOf('/') + 1);

/** Items that were put in once, for certain, and at once. */
function rowsOfEnqueue({ ops, notBefore }: History): Map<number, number> {
  const rows = new Map<number, number>();
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.enqueue || ops.outcome[row] !== OUTCOME.accepted) continue;
    if (ops.item[row]! >= 0 && !notBefore.has(row)) rows.set(ops.item[row]!, row);
  }
  return rows;
}

/** The earliest that each item can have been granted, and the answer of its first grant. */
function firstClaims(ops: Operations, items: number) {
  const firsts: ({ inv: number; ret: number; row: number } | undefined)[] = new Array(items);
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (item < 0 || !isGrant(ops, row)) continue;
    const known = firsts[item];
    if (known === undefined) firsts[item] = { inv: ops.inv[row]!, ret: ops.ret[row]!, row };
    else if (ops.inv[row]! < known.inv)
      firsts[item] = { inv: ops.inv[row]!, ret: Math.min(known.ret, ops.ret[row]!), row };
  }
  return firsts;
}

/** By the instant of the enqueue; each with the latest first claim of all that were enqueued no later. */
interface Waits {
  readonly enqueuedBy: Float64Array;
  readonly latest: Float64Array;
}

function longestWaits(items: Waiting[]): Waits {
  items.sort((a, b) => a.enqueuedBy - b.enqueuedBy);
  const latest = new Float64Array(items.length);
  let max = Number.NEGATIVE_INFINITY;
  for (const [index, item] of items.entries()) {
    max = Math.max(max, item.firstClaim);
    latest[index] = max;
  }
  return { enqueuedBy: Float64Array.from(items, (item) => item.enqueuedBy), latest };
}

/** The latest first claim among items that were in the pool before `at`. */
function latestFirstClaim({ enqueuedBy, latest }: Waits, at: number): number {
  let low = 0;
  let high = enqueuedBy.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (enqueuedBy[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? Number.NEGATIVE_INFINITY : latest[low - 1]!;
}
