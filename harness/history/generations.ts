import { RecordError } from './record-error.ts';

/**
 * Generations as numbers that keep order and equality exactly. A generation up to 2^53 stands for itself; once a history
 * holds a larger one, every generation is replaced by its rank among all that occur, compared as BigInt, never as text (S2).
 */
export class Generations {
  /** Larger ones, in order of appearance; the column holds `-1 - index` for them until they are ranked. */
  readonly #big: bigint[] = [];
  readonly #indexOf = new Map<bigint, number>();

  /** What goes into the column for a generation as a record gives it. NaN for undefined; throws on anything else. */
  encode(generation: number | string | undefined): number {
    if (generation === undefined) return Number.NaN;
    if (typeof generation === 'number' && Number.isSafeInteger(generation) && generation >= 0)
      return generation;
    if (typeof generation !== 'string' || !/^\d{1,40}$/.test(generation)) {
      throw new RecordError(
        `Expected \`generation\` to be a whole number or its decimal text, got ${JSON.stringify(generation)}`,
      );
    }
    const exact = BigInt(generation);
    if (exact <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(exact);
    const known = this.#indexOf.get(exact);
    if (known !== undefined) return -1 - known;
    this.#indexOf.set(exact, this.#big.length);
    this.#big.push(exact);
    return -this.#big.length;
  }

  /** The column in comparable form, a way to translate single values, and a way to show one. */
  settle(
    column: Float64Array,
    length: number,
    others: Iterable<number>,
  ): {
    /** Encoded values are comparable as they stand: there is nothing to translate. */
    readonly same: boolean;
    readonly column: Float64Array;
    readonly of: (encoded: number) => number;
    readonly text: (comparable: number) => string;
  } {
    if (this.#big.length === 0)
      return { same: true, column, of: (encoded) => encoded, text: (value) => String(value) };
    const exactOf = (encoded: number): bigint => (encoded < 0 ? this.#big[-1 - encoded]! : BigInt(encoded));
    const distinct = new Set<number>();
    for (let i = 0; i < length; i++) if (!Number.isNaN(column[i]!)) distinct.add(column[i]!);
    for (const other of others) if (!Number.isNaN(other)) distinct.add(other);
    const sorted = [...distinct].sort((a, b) => (exactOf(a) < exactOf(b) ? -1 : 1));
    const rank = new Map(sorted.map((encoded, i) => [encoded, i]));
    const of = (encoded: number): number => rank.get(encoded) ?? Number.NaN;
    return {
      same: false,
      column: column.slice(0, length).map((encoded) => (Number.isNaN(encoded) ? encoded : of(encoded))),
      of,
      text: (value) => (sorted[value] === undefined ? String(value) : String(exactOf(sorted[value]))),
    };
  }
}
