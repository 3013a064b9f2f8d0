/** Lines of text: width, padding, wrapping. Colours have no width. Pure. */
import { stripVTControlCharacters } from 'node:util';

/** Letters of East Asia and pictures, which take two columns; marks that are put on the sign before them take none. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]/u;
const ON_TOP = /[\p{Mn}\p{Me}]/u;

/** Columns that a text takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const sign of stripVTControlCharacters(text)) width += columnsOf(sign);
  return width;
}

function columnsOf(sign: string): number {
  if (sign < '\u0300') return 1;
  if (ON_TOP.test(sign)) return 0;
  return WIDE.test(sign) ? 2 : 1;
}

/** Pads to a width, on the right unless told otherwise. Longer texts stay as they are. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

/** Cuts a text to a width and marks the cut with `more`. */
export function cut(text: string, width: number, more: string): string {
  if (widthOf(text) <= width) return text;
  return head(text, Math.max(0, width - widthOf(more))) + more;
}

/** The start of a text that fits. */
function head(text: string, width: number): string {
  let taken = '';
  let columns = 0;
  for (const sign of text) {
    columns += columnsOf(sign);
    if (columns > width) break;
    taken += sign;
  }
  return taken;
}

/** Breaks a sentence between words. A word that is longer than a line is broken too, behind a `/` where it has one. */
export function wrap(text: string, width: number): string[] {
  return flow(
    text.split(/\s+/).filter((word) => word !== ''),
    width,
    ' ',
  );
}

/** Puts parts into as few lines as fit. A part is kept whole unless it is longer than a line. */
export function flow(parts: readonly string[], width: number, gap: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of parts.flatMap((one) => fitted(one, width))) {
    if (line !== '' && widthOf(line) + widthOf(gap) + widthOf(part) > width) {
      lines.push(line);
      line = part;
    } else {
      line = line === '' ? part : line + gap + part;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** The part itself, or its pieces: words where it has several, else stretches of a line's length. */
function fitted(part: string, width: number): string[] {
  if (widthOf(part) <= width) return [part];
  const words = part.split(' ').filter((word) => word !== '');
  return words.length > 1 ? flow(words, width, ' ') : broken(part, width);
}

function broken(word: string, width: number): string[] {
  // A colour must not be broken in two; coloured words are short, and their colour goes where it would not fit.
  let rest = stripVTControlCharacters(word);
  const pieces: string[] = [];
  while (widthOf(rest) > width) {
    const most = head(rest, Math.max(1, width));
    const slash = most.lastIndexOf('/') + 1;
    // A slash near the start would leave most of the line empty.
    const piece = slash > most.length / 3 ? most.slice(0, slash) : most || rest.slice(0, 1);
    pieces.push(piece);
    rest = rest.slice(piece.length);
  }
  return rest === '' ? pieces : [...pieces, rest];
}
