/**
 * The rows of the final scan in typed columns: a row of objects for each of millions of items would take five times the memory.
 * What is handed out is a view of one row, made when it is asked for.
 */
import type { ItemState } from '../../src/store.ts';
import type { Rows, ScanRow } from './history.ts';
import { RequestColumn } from './request-column.ts';

const STATES: readonly ItemState[] = ['open', 'leased', 'done', 'dead'];
const UNKNOWN_ATTEMPTS = -1;

export class ScanRows implements Rows<ScanRow> {
  length = 0;
  #item = new Int32Array(256);
  #state = new Uint8Array(256);
  #generation = new Float64Array(256);
  #attempts = new Float64Array(256);
  #value = new Int32Array(256);
  #row = new Uint32Array(256);
  #completedBy = new RequestColumn();
  #enqueuedBy = new RequestColumn();

  add(shown: ScanRow): void {
    const index = this.length;
    if (index === this.#item.length) this.#grow();
    this.#item[index] = shown.item;
    this.#state[index] = STATES.indexOf(shown.state);
    this.#generation[index] = shown.generation;
    this.#attempts[index] = shown.attempts ?? UNKNOWN_ATTEMPTS;
    this.#value[index] = shown.value;
    this.#row[index] = shown.row;
    this.#completedBy.set(index, shown.completedBy);
    this.#enqueuedBy.set(index, shown.enqueuedBy);
    this.length += 1;
  }

  at(index: number): ScanRow | undefined {
    return index < this.length ? new ScanRowView(this, index) : undefined;
  }

  *[Symbol.iterator](): Generator<ScanRow> {
    for (let index = 0; index < this.length; index++) yield new ScanRowView(this, index);
  }

  item = (index: number): number => this.#item[index]!;
  state = (index: number): ItemState => STATES[this.#state[index]!]!;
  generation = (index: number): number => this.#generation[index]!;
  value = (index: number): number => this.#value[index]!;
  row = (index: number): number => this.#row[index]!;
  completedBy = (index: number): string | undefined => this.#completedBy.get(index);
  enqueuedBy = (index: number): string | undefined => this.#enqueuedBy.get(index);

  attempts(index: number): number | undefined {
    const attempts = this.#attempts[index]!;
    return attempts === UNKNOWN_ATTEMPTS ? undefined : attempts;
  }

  #grow(): void {
    const capacity = this.#item.length * 2;
    this.#item = grown(this.#item, new Int32Array(capacity));
    this.#state = grown(this.#state, new Uint8Array(capacity));
    this.#generation = grown(this.#generation, new Float64Array(capacity));
    this.#attempts = grown(this.#attempts, new Float64Array(capacity));
    this.#value = grown(this.#value, new Int32Array(capacity));
    this.#row = grown(this.#row, new Uint32Array(capacity));
  }
}

class ScanRowView implements ScanRow {
  readonly #rows: ScanRows;
  readonly #index: number;

  constructor(rows: ScanRows, index: number) {
    this.#rows = rows;
    this.#index = index;
  }

  get item(): number {
    return this.#rows.item(this.#index);
  }

  get state(): ItemState {
    return this.#rows.state(this.#index);
  }

  get generation(): number {
    return this.#rows.generation(this.#index);
  }

  get attempts(): number | undefined {
    return this.#rows.attempts(this.#index);
  }

  get value(): number {
    return this.#rows.value(this.#index);
  }

  get completedBy(): string | undefined {
    return this.#rows.completedBy(this.#index);
  }

  get enqueuedBy(): string | undefined {
    return this.#rows.enqueuedBy(this.#index);
  }

  get row(): number {
    return this.#rows.row(this.#index);
  }
}

function grown<T extends { set(from: T): void }>(from: T, into: T): T {
  into.set(from);
  return into;
}
