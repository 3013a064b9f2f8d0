/** Lines of text: wrapping, padding, columns. Colours have no width. Pure. */
import { stripVTControlCharacters } from 'node:util';

/** Columns that a text takes. Every sign that we print is one column wide. */
export function widthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}

/** Pads to a width, on the right unless told otherwise. Longer texts stay as they are. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)));
  return align === 'left' ? text + space : space + text;
}

/** Breaks a sentence between words. Words that are longer than a line stay whole: they are paths to be copied. */
export function wrap(text: string, width: number): string[] {
  return flow(
    text.split(/\s+/).filter((word) => word !== ''),
    width,
    ' ',
  );
}

/** Puts parts into as few lines as fit, each part kept whole. */
export function flow(parts: readonly string[], width: number, gap: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of parts) {
    if (line !== '' && widthOf(line) + widthOf(gap) + widthOf(part) > width) {
      lines.push(line);
      line = part;
    } else {
      line = line === '' ? part : line + gap + part;
    }
  }
  return line === '' ? lines : [...lines, line];
}

/** Room for the label of a line, `  faults     …`. */
const LABEL = 11;

/** A label and its lines, the further ones below the first. */
export function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, index) => `  ${pad(index === 0 ? label : '', LABEL)}${line}`.trimEnd());
}

/** Columns that are left beside a label. */
export function besideLabel(width: number): number {
  return width - LABEL - 2;
}
