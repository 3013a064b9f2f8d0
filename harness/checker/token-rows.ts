/**
 * The rows of one item in the order that its generations force: grant of the lowest generation, its calls, the next
 * grant, and so on. Scratch memory that is filled again for every item: no object per row.
 */
import { FLAG, OP, type Operations, OUTCOME } from '../history/history.ts';

/** Above this many rows a comparison sort is cheaper than insertion. */
const INSERTION_LIMIT = 40;

export class TokenRows {
  /** Accepted grants, and holder calls that were accepted, refused or left unknown; by generation, grant first, then `inv`. */
  rows = new Int32Array(64);
  count = 0;
  /** Rows of group g: `rows[from[g] .. from[g + 1]]`. A group is one generation. */
  from = new Int32Array(65);
  groups = 0;
  /** The grant of each group; -1 where no accepted claim told of it. */
  grant = new Int32Array(64);
  /** Some generation was granted to two requests (S1): who holds what is open from there on. */
  ambiguous = false;
  /** The earliest answer that shows a later group granted, and its row; +Infinity and -1 for the last group. */
  laterRet = new Float64Array(64);
  laterRow = new Int32Array(64);
  /** Calls that name no generation and may end a lease: force releases, and unanswered claims with `reacquire`. */
  readonly wild: number[] = [];
  /** Accepted and unanswered completions. */
  readonly completions: number[] = [];
  /** A grant or holder call carries no generation: the item has no forced order. */
  unordered = false;
  enqueues = 0;

  /** Takes the rows `order[start .. end]` of an item. Of writes to entries those count that `guarded` puts under its lease. */
  load(
    ops: Operations,
    order: Uint32Array,
    start: number,
    end: number,
    item: number,
    guarded: ReadonlyMap<number, number>,
  ): void {
    this.count = 0;
    this.groups = 0;
    this.wild.length = 0;
    this.completions.length = 0;
    this.unordered = false;
    this.ambiguous = false;
    this.enqueues = 0;
    for (let i = start; i < end; i++) {
      const row = order[i]!;
      if (ops.op[row] !== OP.commit || guarded.get(row) === item) this.#take(ops, row);
    }
    if (this.unordered) return;
    this.#sort(ops);
    this.#group(ops);
  }

  #take(ops: Operations, row: number): void {
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.fail) return;
    switch (ops.op[row]) {
      case OP.enqueue:
        if (outcome !== OUTCOME.refused) this.enqueues += 1;
        return;
      case OP.claim:
      case OP.claimNext:
        if (outcome === OUTCOME.accepted) this.#push(ops, row);
        else if (outcome === OUTCOME.info && (ops.flags[row]! & FLAG.reacquire) !== 0) this.wild.push(row);
        return;
      case OP.forceRelease:
        if (outcome !== OUTCOME.refused) this.wild.push(row);
        return;
      case OP.complete:
        if (outcome !== OUTCOME.refused) this.completions.push(row);
        this.#push(ops, row);
        return;
      case OP.heartbeat:
      case OP.nack:
      case OP.release:
      case OP.commit:
        this.#push(ops, row);
        return;
    }
  }

  #push(ops: Operations, row: number): void {
    if (Number.isNaN(ops.generation[row]!)) {
      // A refused call without a generation changes nothing; any other one leaves the order open.
      if (ops.outcome[row] !== OUTCOME.refused) this.unordered = true;
      return;
    }
    if (this.count === this.rows.length) this.#grow();
    this.rows[this.count++] = row;
  }

  #sort(ops: Operations): void {
    const { rows, count } = this;
    if (count > INSERTION_LIMIT) {
      rows.subarray(0, count).sort((a, b) => compare(ops, a, b));
      return;
    }
    for (let i = 1; i < count; i++) {
      const row = rows[i]!;
      let j = i - 1;
      while (j >= 0 && compare(ops, rows[j]!, row) > 0) {
        rows[j + 1] = rows[j]!;
        j -= 1;
      }
      rows[j + 1] = row;
    }
  }

  #group(ops: Operations): void {
    const { rows, count } = this;
    let groups = 0;
    for (let i = 0; i < count; i++) {
      const row = rows[i]!;
      const isGrant = ops.op[row] === OP.claim || ops.op[row] === OP.claimNext;
      if (i === 0 || ops.generation[row] !== ops.generation[rows[i - 1]!]) {
        this.from[groups] = i;
        this.grant[groups] = isGrant ? row : -1;
        groups += 1;
      } else if (isGrant && !sameRequest(ops, row, this.grant[groups - 1]!)) {
        this.ambiguous = true;
      }
    }
    this.from[groups] = count;
    this.groups = groups;
    let ret = Number.POSITIVE_INFINITY;
    let by = -1;
    for (let g = groups - 1; g >= 0; g--) {
      this.laterRet[g] = ret;
      this.laterRow[g] = by;
      const known = this.witnessOf(ops, g);
      if (known >= 0 && ops.ret[known]! < ret) {
        ret = ops.ret[known]!;
        by = known;
      }
    }
  }

  /** What shows that a generation was granted: its grant, else the accepted call under it that was answered first; -1. */
  witnessOf(ops: Operations, g: number): number {
    const grant = this.grant[g]!;
    if (grant >= 0) return grant;
    let first = -1;
    for (let i = this.from[g]!; i < this.from[g + 1]!; i++) {
      const row = this.rows[i]!;
      if (ops.outcome[row] === OUTCOME.accepted && (first < 0 || ops.ret[row]! < ops.ret[first]!))
        first = row;
    }
    return first;
  }

  #grow(): void {
    const capacity = this.rows.length * 2;
    const wider = (from: Int32Array, size: number): Int32Array<ArrayBuffer> => {
      const into = new Int32Array(size);
      into.set(from);
      return into;
    };
    this.rows = wider(this.rows, capacity);
    this.from = wider(this.from, capacity + 1);
    this.grant = wider(this.grant, capacity);
    this.laterRet = new Float64Array(capacity);
    this.laterRow = wider(this.laterRow, capacity);
  }
}

/** Whether an operation hands out leases. */
export const grants = (op: number): boolean => op === OP.claim || op === OP.claimNext;

/** Rows of one batch claim share their request. */
export const sameRequest = (ops: Operations, a: number, b: number): boolean =>
  ops.incarnation[a] === ops.incarnation[b] && ops.lane[a] === ops.lane[b] && ops.call[a] === ops.call[b];

function compare(ops: Operations, a: number, b: number): number {
  return (
    ops.generation[a]! - ops.generation[b]! ||
    Number(grants(ops.op[b]!)) - Number(grants(ops.op[a]!)) ||
    ops.inv[a]! - ops.inv[b]! ||
    ops.ret[a]! - ops.ret[b]! ||
    a - b
  );
}
