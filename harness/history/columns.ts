/** Typed columns that grow: the memory behind `Operations`. */
import { NO_CODE, OP, type Operations, OUTCOME } from './history.ts';

const FIRST_CAPACITY = 1024;

/** Rows are added one by one; `view()` shows the filled part without copying it. */
export class Columns {
  length = 0;
  op = new Uint8Array(FIRST_CAPACITY);
  outcome = new Uint8Array(FIRST_CAPACITY);
  incarnation = new Uint32Array(FIRST_CAPACITY);
  lane = new Uint32Array(FIRST_CAPACITY);
  call = new Uint32Array(FIRST_CAPACITY);
  inv = new Float64Array(FIRST_CAPACITY);
  ret = new Float64Array(FIRST_CAPACITY);
  item = new Int32Array(FIRST_CAPACITY);
  generation = new Float64Array(FIRST_CAPACITY);
  leaseMs = new Float64Array(FIRST_CAPACITY);
  expiresAtMs = new Float64Array(FIRST_CAPACITY);
  attempt = new Uint32Array(FIRST_CAPACITY);
  value = new Int32Array(FIRST_CAPACITY);
  owner = new Int32Array(FIRST_CAPACITY);
  code = new Uint8Array(FIRST_CAPACITY);
  flags = new Uint8Array(FIRST_CAPACITY);
  /** Empty until the first operation that has one: most histories hold none. */
  version = new Float64Array(0);

  /** Makes room for so many rows. Room that no row fills costs no memory; columns that grow are there twice meanwhile. */
  reserve(rows: number): void {
    if (rows > this.op.length) this.#grow(rows);
  }

  /** Adds an operation of unknown outcome without item, generation or lease. Returns its row. */
  add(op: number, incarnation: number, lane: number, call: number, inv: number, owner: number): number {
    const row = this.length;
    if (row === this.op.length) this.#grow(row * 2);
    this.length = row + 1;
    this.op[row] = op;
    this.outcome[row] = OUTCOME.info;
    this.incarnation[row] = incarnation;
    this.lane[row] = lane;
    this.call[row] = call;
    this.inv[row] = inv;
    this.ret[row] = Number.POSITIVE_INFINITY;
    this.item[row] = -1;
    this.generation[row] = Number.NaN;
    this.leaseMs[row] = Number.NaN;
    this.expiresAtMs[row] = Number.NaN;
    this.attempt[row] = 0;
    this.value[row] = -1;
    this.owner[row] = owner;
    this.code[row] = NO_CODE;
    this.flags[row] = 0;
    if (this.version.length > 0) this.version[row] = Number.NaN;
    else if (op === OP.commit || op === OP.get)
      this.version = new Float64Array(this.op.length).fill(Number.NaN);
    return row;
  }

  /** Adds a row that belongs to the same request as `row`. */
  addBeside(row: number): number {
    const beside = this.add(
      this.op[row]!,
      this.incarnation[row]!,
      this.lane[row]!,
      this.call[row]!,
      this.inv[row]!,
      this.owner[row]!,
    );
    this.outcome[beside] = this.outcome[row]!;
    this.ret[beside] = this.ret[row]!;
    return beside;
  }

  view(generation: Float64Array = this.generation): Operations {
    const n = this.length;
    return {
      length: n,
      op: this.op.subarray(0, n),
      outcome: this.outcome.subarray(0, n),
      incarnation: this.incarnation.subarray(0, n),
      lane: this.lane.subarray(0, n),
      call: this.call.subarray(0, n),
      inv: this.inv.subarray(0, n),
      ret: this.ret.subarray(0, n),
      item: this.item.subarray(0, n),
      generation: generation.subarray(0, n),
      leaseMs: this.leaseMs.subarray(0, n),
      expiresAtMs: this.expiresAtMs.subarray(0, n),
      attempt: this.attempt.subarray(0, n),
      value: this.value.subarray(0, n),
      owner: this.owner.subarray(0, n),
      code: this.code.subarray(0, n),
      flags: this.flags.subarray(0, n),
      version: this.version.subarray(0, n),
    };
  }

  #grow(capacity: number): void {
    this.op = grown(this.op, new Uint8Array(capacity));
    this.outcome = grown(this.outcome, new Uint8Array(capacity));
    this.incarnation = grown(this.incarnation, new Uint32Array(capacity));
    this.lane = grown(this.lane, new Uint32Array(capacity));
    this.call = grown(this.call, new Uint32Array(capacity));
    this.inv = grown(this.inv, new Float64Array(capacity));
    this.ret = grown(this.ret, new Float64Array(capacity));
    this.item = grown(this.item, new Int32Array(capacity));
    this.generation = grown(this.generation, new Float64Array(capacity));
    this.leaseMs = grown(this.leaseMs, new Float64Array(capacity));
    this.expiresAtMs = grown(this.expiresAtMs, new Float64Array(capacity));
    this.attempt = grown(this.attempt, new Uint32Array(capacity));
    this.value = grown(this.value, new Int32Array(capacity));
    this.owner = grown(this.owner, new Int32Array(capacity));
    this.code = grown(this.code, new Uint8Array(capacity));
    this.flags = grown(this.flags, new Uint8Array(capacity));
    if (this.version.length > 0) this.version = grown(this.version, new Float64Array(capacity));
  }
}

function grown<T extends { set(from: T): void }>(from: T, into: T): T {
  into.set(from);
  return into;
}
