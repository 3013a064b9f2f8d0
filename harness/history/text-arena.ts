/**
 * Texts as small numbers, kept as bytes one after another: millions of strings on the heap would take twice the memory, and the
 * collector would walk over them again and again. A text is made when it is asked for.
 */
import type { Rows } from './history.ts';
import { TextTable } from './text-table.ts';

const FIRST_BYTES = 1 << 12;

export class TextArena extends TextTable implements Rows<string> {
  length = 0;
  #bytes = Buffer.alloc(FIRST_BYTES);
  /** Text i stands at `bytes[start[i] .. start[i + 1]]`. */
  #start = new Uint32Array(1024);
  /** Texts with characters that do not fit a byte each, which values of JSON seldom have. */
  readonly #wide = new Map<number, string>();

  at(index: number): string | undefined {
    if (index < 0 || index >= this.length) return undefined;
    return (
      this.#wide.get(index) ?? this.#bytes.toString('latin1', this.#start[index], this.#start[index + 1])
    );
  }

  *[Symbol.iterator](): Generator<string> {
    for (let index = 0; index < this.length; index++) yield this.at(index)!;
  }

  protected override isAt(index: number, text: string): boolean {
    const wide = this.#wide.size > 0 ? this.#wide.get(index) : undefined;
    if (wide !== undefined) return wide === text;
    const from = this.#start[index]!;
    if (this.#start[index + 1]! - from !== text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.#bytes[from + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  protected override keep(text: string): void {
    const index = this.length;
    if (index + 2 > this.#start.length) {
      const start = new Uint32Array(this.#start.length * 2);
      start.set(this.#start);
      this.#start = start;
    }
    this.#start[index + 1] = this.#start[index]! + this.#kept(index, text);
    this.length = index + 1;
  }

  /** Answers the number of bytes. */
  #kept(index: number, text: string): number {
    const from = this.#start[index]!;
    if (from + text.length > this.#bytes.length) this.#grow(from + text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 255) {
        this.#wide.set(index, text);
        return 0;
      }
      this.#bytes[from + i] = code;
    }
    return text.length;
  }

  /** @throws RangeError when the texts are longer than 4 GiB together. */
  #grow(needed: number): void {
    const bytes = Buffer.alloc(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(bytes);
    this.#bytes = bytes;
  }
}
