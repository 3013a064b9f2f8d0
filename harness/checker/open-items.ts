/** Items that may still be open when the faults are off, in typed columns: a history may hold millions. Pure. */

const CLOSED = 1;
const GRANTED_FOR_CERTAIN = 2;
const MADE = 4;
const RECLAIMED_IN_CALM = 8;

export class OpenItems {
  readonly #from: Float64Array;
  readonly #by: Int32Array;
  /** Grants, and unanswered claims that may have been one. */
  readonly #grants: Uint32Array;
  /** 0: no limit. */
  readonly #leastLimit: Uint32Array;
  readonly #state: Uint8Array;

  constructor(items: number) {
    this.#from = new Float64Array(items).fill(Number.NEGATIVE_INFINITY);
    this.#by = new Int32Array(items).fill(-1);
    this.#grants = new Uint32Array(items);
    this.#leastLimit = new Uint32Array(items);
    this.#state = new Uint8Array(items);
  }

  /** From when on it must be found; +Infinity where that is not known. */
  from = (item: number): number => this.#from[item]!;
  /** The row that set the latest lease, or enqueued it; -1 where there is none. */
  by = (item: number): number => this.#by[item]!;

  /** It was made, nobody can have ended it, and its attempts cannot be used up. */
  isOpen(item: number): boolean {
    const limit = this.#leastLimit[item]!;
    return (this.#state[item]! & (MADE | CLOSED)) === MADE && (limit === 0 || this.#grants[item]! < limit);
  }

  wasReclaimedInCalm = (item: number): boolean => (this.#state[item]! & RECLAIMED_IN_CALM) !== 0;

  /** It cannot be asked for before this instant (ns); `row` set it. */
  until(item: number, instant: number, row: number): void {
    if (instant <= this.#from[item]!) return;
    this.#from[item] = instant;
    this.#by[item] = row;
  }

  /** Unanswered claims that name no item may have taken it: the row that tells the story stays. */
  mayBeTaken(item: number, calls: number, until: number): void {
    this.#grants[item]! += calls;
    this.#from[item] = Math.max(this.#from[item]!, until);
  }

  enqueued(item: number, isCertain: boolean, limit: number): void {
    if (isCertain) this.#state[item]! |= MADE;
    if (limit > 0 && !(this.#leastLimit[item]! > 0 && this.#leastLimit[item]! <= limit))
      this.#leastLimit[item] = limit;
  }

  granted(item: number, isCertain: boolean, isInCalm: boolean): void {
    const state = this.#state[item]!;
    this.#grants[item]! += 1;
    if (!isCertain) return;
    const isReclaim = isInCalm && (state & GRANTED_FOR_CERTAIN) !== 0;
    this.#state[item] = state | MADE | GRANTED_FOR_CERTAIN | (isReclaim ? RECLAIMED_IN_CALM : 0);
  }

  closed(item: number): void {
    this.#state[item]! |= CLOSED;
  }
}
