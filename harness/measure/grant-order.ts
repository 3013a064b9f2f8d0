/** Whether items were first granted in the order in which they were enqueued. In columns by item; pure; O(n log n). */
import { type History, OP, type Operations, OUTCOME } from '../history/history.ts';
import type { Share } from './share.ts';
import { isGrant, type Tenures } from './tenures.ts';

const NONE = -1;

/**
 * First grants of `claimNext` that passed over an item of the same pool (the part of the key up to its last `/`): that one
 * was enqueued before this one was sent, and nobody was seen to be granted it before this grant was answered ÷ all first grants of items whose
 * enqueue was seen. Items with a not-before
 * instant are left out. A claim of unknown outcome may have taken an item unseen: this is a measurement, no accusation.
 */
export function grantsOutOfOrder(history: History, _tenures: Tenures): Share {
  const { ops, keys } = history;
  const enqueues = rowsOfEnqueue(history);
  const firsts = firstClaims(ops, keys.length);
  const pools = new Pools(history, enqueues, firsts.row);
  let seen = 0;
  let of = 0;
  for (let item = 0; item < keys.length; item++) {
    const first = firsts.row[item]!;
    if (enqueues[item] === NONE || first === NONE || ops.op[first] !== OP.claimNext) continue;
    of += 1;
    if (pools.latestFirstClaim(item, ops.inv[enqueues[item]!]!) > firsts.ret[item]!) seen += 1;
  }
  return { seen, of };
}

/** The row of the enqueue by item, where it was put in for certain and at once. */
function rowsOfEnqueue({ ops, keys, notBefore }: History): Int32Array {
  const rows = new Int32Array(keys.length).fill(NONE);
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.enqueue || ops.outcome[row] !== OUTCOME.accepted) continue;
    if (ops.item[row]! >= 0 && !notBefore.has(row)) rows[ops.item[row]!] = row;
  }
  return rows;
}

/** By item: the grant that was sent first, and the answer of its first grant. */
function firstClaims(ops: Operations, items: number): { row: Int32Array; ret: Float64Array } {
  const first = { row: new Int32Array(items).fill(NONE), ret: new Float64Array(items) };
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (item < 0 || !isGrant(ops, row)) continue;
    const known = first.row[item]!;
    if (known !== NONE && ops.inv[row]! >= ops.inv[known]!) continue;
    first.ret[item] = known === NONE ? ops.ret[row]! : Math.min(first.ret[item]!, ops.ret[row]!);
    first.row[item] = row;
  }
  return first;
}

/** What was put into each pool, by the instant of the enqueue. */
class Pools {
  readonly #poolOf: Int32Array;
  /** Items of pool p stand at `start[p] .. start[p + 1]` of the two columns. */
  readonly #start: number[] = [0];
  readonly #enqueuedBy: Float64Array;
  /** The latest first claim of all items of the pool that were enqueued no later; +Infinity: one was never granted. */
  readonly #latest: Float64Array;

  constructor({ ops, keys }: History, enqueues: Int32Array, firsts: Int32Array) {
    this.#poolOf = new Int32Array(keys.length);
    const pools = new Map<string, number>();
    const sizes: number[] = [];
    let waiting = 0;
    for (let item = 0; item < keys.length; item++) {
      if (enqueues[item] === NONE) continue;
      const key = keys[item]!;
      const name = key.slice(0, key.lastIndexOf('/') + 1);
      const pool = pools.get(name) ?? pools.set(name, sizes.push(0) - 1).get(name)!;
      this.#poolOf[item] = pool;
      sizes[pool]! += 1;
      waiting += 1;
    }
    for (const [pool, size] of sizes.entries()) this.#start.push(this.#start[pool]! + size);
    const items = new Uint32Array(waiting);
    const next = [...this.#start];
    for (let item = 0; item < keys.length; item++)
      if (enqueues[item] !== NONE) items[next[this.#poolOf[item]!]!++] = item;
    this.#enqueuedBy = new Float64Array(waiting);
    this.#latest = new Float64Array(waiting);
    const enqueuedBy = (item: number): number => ops.ret[enqueues[item]!]!;
    for (let pool = 0; pool < sizes.length; pool++) {
      const [from, to] = [this.#start[pool]!, this.#start[pool + 1]!];
      items.subarray(from, to).sort((a, b) => enqueuedBy(a) - enqueuedBy(b));
      let latest = Number.NEGATIVE_INFINITY;
      for (let i = from; i < to; i++) {
        const first = firsts[items[i]!]!;
        latest = Math.max(latest, first === NONE ? Number.POSITIVE_INFINITY : ops.inv[first]!);
        this.#enqueuedBy[i] = enqueuedBy(items[i]!);
        this.#latest[i] = latest;
      }
    }
  }

  /** The latest first claim among the items that were in the pool of `item` before `at`. */
  latestFirstClaim(item: number, at: number): number {
    const from = this.#start[this.#poolOf[item]!]!;
    let low = from;
    let high = this.#start[this.#poolOf[item]! + 1]!;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#enqueuedBy[middle]! < at) low = middle + 1;
      else high = middle;
    }
    return low === from ? Number.NEGATIVE_INFINITY : this.#latest[low - 1]!;
  }
}
