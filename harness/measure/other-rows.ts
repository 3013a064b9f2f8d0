/** Rows of `enqueue` and `forceRelease` by item, which no grant carries: two typed columns, no list for each item. Pure. */
import { OP, type Operations } from '../history/history.ts';

export class OtherRows {
  readonly #start: Uint32Array;
  readonly #rows: Uint32Array;

  /** Counting sort, in row order. */
  constructor(ops: Operations, items: number) {
    const start = new Uint32Array(items + 1);
    for (let row = 0; row < ops.length; row++) if (isOther(ops, row)) start[ops.item[row]! + 1]! += 1;
    for (let item = 0; item < items; item++) start[item + 1]! += start[item]!;
    const next = start.slice(0, items);
    const rows = new Uint32Array(start[items]!);
    for (let row = 0; row < ops.length; row++) if (isOther(ops, row)) rows[next[ops.item[row]!]!++] = row;
    this.#start = start;
    this.#rows = rows;
  }

  /** Undefined where there are none. */
  get(item: number): readonly number[] | undefined {
    const from = this.#start[item]!;
    const to = this.#start[item + 1]!;
    return from === to ? undefined : Array.from(this.#rows.subarray(from, to));
  }

  /** The rows of each item that has some. */
  *values(): Generator<readonly number[]> {
    for (let item = 0; item + 1 < this.#start.length; item++) {
      const rows = this.get(item);
      if (rows) yield rows;
    }
  }
}

const isOther = (ops: Operations, row: number): boolean =>
  ops.item[row]! >= 0 && (ops.op[row] === OP.enqueue || ops.op[row] === OP.forceRelease);
