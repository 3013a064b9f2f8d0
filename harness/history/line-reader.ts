/**
 * The lines of a file that may still grow. Read in large pieces; a piece of plain ASCII is decoded once, and its lines are slices of
 * that text: decoding line by line costs a call out of JavaScript for each.
 */
import { isAscii } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';

const FIRST_BYTES = 1 << 16;
/** A piece is at most this long, unless a single line is longer. */
const PIECE_BYTES = 1 << 18;
const LINE_FEED = 10;

/** A line without its line feed: its text, and where its bytes stand. Nothing of `bytes` may be kept: they are read over. */
export type TakeLine = (text: string, bytes: Buffer, from: number, to: number) => void;

export class LineReader {
  readonly #fd: number;
  #buffer = Buffer.allocUnsafe(FIRST_BYTES);
  /** Bytes at the front of the buffer that no line feed ended yet. */
  #rest = 0;
  #offset = 0;

  constructor(path: string) {
    this.#fd = openSync(path, 'r');
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Length of the line that no line feed ended yet, in bytes. */
  get rest(): number {
    return this.#rest;
  }

  /** Hands over the lines of the next piece. Answers false at the end of what is there. */
  read(take: TakeLine): boolean {
    if (this.#rest === this.#buffer.length) this.#grow();
    const free = this.#buffer.length - this.#rest;
    const read = readSync(this.#fd, this.#buffer, this.#rest, free, this.#offset);
    if (read === 0) return false;
    this.#offset += read;
    const filled = this.#rest + read;
    const whole = this.#buffer.lastIndexOf(LINE_FEED, filled - 1) + 1;
    if (whole > 0) this.#lines(whole, take);
    this.#buffer.copyWithin(0, whole, filled);
    this.#rest = filled - whole;
    if (read === free && this.#buffer.length < PIECE_BYTES) this.#grow();
    return true;
  }

  /** Hands over what no line feed ended, when the file will not grow any more. */
  end(take: TakeLine): void {
    const length = this.#rest;
    this.#rest = 0;
    if (length > 0) take(this.#buffer.toString('utf8', 0, length), this.#buffer, 0, length);
  }

  /** The lines of the first `whole` bytes, which end with a line feed. */
  #lines(whole: number, take: TakeLine): void {
    const bytes = this.#buffer;
    if (!isAscii(bytes.subarray(0, whole))) {
      for (let from = 0; from < whole; ) {
        const to = bytes.indexOf(LINE_FEED, from);
        take(bytes.toString('utf8', from, to), bytes, from, to);
        from = to + 1;
      }
      return;
    }
    const text = bytes.toString('latin1', 0, whole);
    for (let from = 0; from < whole; ) {
      const to = text.indexOf('\n', from);
      take(text.slice(from, to), bytes, from, to);
      from = to + 1;
    }
  }

  #grow(): void {
    const larger = Buffer.allocUnsafe(this.#buffer.length * 2);
    this.#buffer.copy(larger, 0, 0, this.#rest);
    this.#buffer = larger;
  }
}
