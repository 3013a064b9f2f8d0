/**
 * What reads and claims asked for: prefix and page size, by row. Few distinct questions are asked over and over, so each is kept
 * once, and a row holds its number: a byte, for as long as that is enough.
 */
import type { ByRow } from './history.ts';

interface Question {
  readonly prefix: string | undefined;
  readonly limit: number | undefined;
}

export class Questions {
  readonly #all: Question[] = [];
  readonly #indexOf = new Map<number | undefined, Map<string | undefined, number>>();
  /** Number of the question plus one, by row; 0: none. */
  #ofRow: Uint8Array | Uint32Array = new Uint8Array(1024);

  set(row: number, prefix: string | undefined, limit: number | undefined): void {
    let known = this.#indexOf.get(limit);
    if (!known) {
      known = new Map();
      this.#indexOf.set(limit, known);
    }
    let index = known.get(prefix);
    if (index === undefined) {
      index = this.#all.length;
      this.#all.push({ prefix, limit });
      if (this.#all.length === 256) this.#ofRow = Uint32Array.from(this.#ofRow);
      known.set(prefix, index);
    }
    if (row >= this.#ofRow.length) this.#grow(row);
    this.#ofRow[row] = index + 1;
  }

  readonly prefixes: ByRow<string> = { get: (row) => this.#of(row)?.prefix };
  readonly limits: ByRow<number> = { get: (row) => this.#of(row)?.limit };

  #of(row: number): Question | undefined {
    const index = this.#ofRow[row];
    return index === undefined || index === 0 ? undefined : this.#all[index - 1];
  }

  #grow(row: number): void {
    const Column = this.#all.length < 256 ? Uint8Array : Uint32Array;
    const ofRow = new Column(Math.max(row + 1, this.#ofRow.length * 2));
    ofRow.set(this.#ofRow);
    this.#ofRow = ofRow;
  }
}
