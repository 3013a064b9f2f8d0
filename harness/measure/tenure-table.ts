/**
 * Millions of tenures in typed columns: an object of each would take five times the memory. What is handed out is a view of
 * one row, made when it is asked for, which reads the columns. Pure.
 */
import type { Operations, Rows } from '../history/history.ts';
import type { Tenure } from './tenure.ts';

/** What is known of a tenure when its item has been gone through. */
export interface TenureDraft {
  readonly item: number;
  readonly grant: number;
  readonly calls: readonly number[];
  readonly supersededAt: number;
}

export class TenureTable implements Rows<Tenure> {
  readonly #ops: Operations;
  length = 0;
  readonly #grants: Int32Array;
  readonly #supersededAt: Float64Array;
  /** Calls of tenure i: `calls[callsFrom[i] .. callsFrom[i + 1]]`. */
  readonly #callsFrom: Uint32Array;
  readonly #calls: Int32Array;
  #callCount = 0;

  /** For at most so many grants, and calls under them. */
  constructor(ops: Operations, most: { readonly grants: number; readonly calls: number }) {
    this.#ops = ops;
    this.#grants = new Int32Array(most.grants);
    this.#supersededAt = new Float64Array(most.grants);
    this.#callsFrom = new Uint32Array(most.grants + 1);
    this.#calls = new Int32Array(most.calls);
  }

  /** Those of one item one after another, in the order in which they were granted. */
  add({ grant, calls, supersededAt }: TenureDraft): void {
    const index = this.length;
    this.#grants[index] = grant;
    this.#supersededAt[index] = supersededAt;
    for (const call of calls) this.#calls[this.#callCount++] = call;
    this.#callsFrom[index + 1] = this.#callCount;
    this.length += 1;
  }

  at(index: number): Tenure | undefined {
    return index < this.length ? new TenureView(this, index) : undefined;
  }

  *[Symbol.iterator](): Generator<Tenure> {
    for (let index = 0; index < this.length; index++) yield new TenureView(this, index);
  }

  /** The tenures of each process, in the same order. */
  byIncarnation(): ReadonlyMap<number, Iterable<Tenure>> {
    const counts = new Map<number, number>();
    for (let index = 0; index < this.length; index++) {
      const incarnation = this.incarnation(index);
      counts.set(incarnation, (counts.get(incarnation) ?? 0) + 1);
    }
    const own = new Map<number, TenuresAt>();
    for (const [incarnation, count] of counts) own.set(incarnation, new TenuresAt(this, count));
    for (let index = 0; index < this.length; index++) own.get(this.incarnation(index))!.add(index);
    return own;
  }

  grant(index: number): number {
    return this.#grants[index]!;
  }

  item(index: number): number {
    return this.#ops.item[this.#grants[index]!]!;
  }

  incarnation(index: number): number {
    return this.#ops.incarnation[this.#grants[index]!]!;
  }

  supersededAt(index: number): number {
    return this.#supersededAt[index]!;
  }

  calls(index: number): readonly number[] {
    const calls: number[] = [];
    for (let i = this.#callsFrom[index]!; i < this.#callsFrom[index + 1]!; i++) calls.push(this.#calls[i]!);
    return calls;
  }

  next(index: number): Tenure | undefined {
    const isLast = index + 1 >= this.length || this.item(index + 1) !== this.item(index);
    return isLast ? undefined : new TenureView(this, index + 1);
  }
}

/** Some tenures of a table, by their index. */
class TenuresAt {
  readonly #table: TenureTable;
  readonly #indices: Uint32Array;
  #length = 0;

  constructor(table: TenureTable, count: number) {
    this.#table = table;
    this.#indices = new Uint32Array(count);
  }

  add(index: number): void {
    this.#indices[this.#length++] = index;
  }

  *[Symbol.iterator](): Generator<Tenure> {
    for (const index of this.#indices) yield this.#table.at(index)!;
  }
}

class TenureView implements Tenure {
  readonly #table: TenureTable;
  readonly #index: number;

  constructor(table: TenureTable, index: number) {
    this.#table = table;
    this.#index = index;
  }

  get item(): number {
    return this.#table.item(this.#index);
  }

  get grant(): number {
    return this.#table.grant(this.#index);
  }

  get incarnation(): number {
    return this.#table.incarnation(this.#index);
  }

  get calls(): readonly number[] {
    return this.#table.calls(this.#index);
  }

  get supersededAt(): number {
    return this.#table.supersededAt(this.#index);
  }

  get next(): Tenure | undefined {
    return this.#table.next(this.#index);
  }
}
