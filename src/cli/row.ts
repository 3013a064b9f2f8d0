/** Lines of a listing that is written as it is read, so that no column can be fitted to what is still to come. Pure. */
import { cut, flow, widthOf } from '../text/layout.ts';
import type { Style } from './text.ts';

const GAP = '  ';
/** A text is not squeezed into less than this beside its cells. */
const LEAST_BESIDE = 16;

/** Padded cells and a text behind them; below them where a line is too narrow. `whole`: the text is not cut. */
export function row(cells: readonly string[], text: string, style: Style, whole = false): string {
  const { width, more } = style;
  const head = cells.join(GAP);
  const room = width - widthOf(head) - GAP.length;
  if (widthOf(text) <= room) return `${head}${GAP}${text}`.trimEnd();
  if (room >= LEAST_BESIDE) return `${head}${GAP}${whole ? text : cut(text, room, more)}`;
  const indent = GAP + GAP;
  const [first = '', ...rest] = flow(
    cells.map((cell) => cell.trim()),
    width - indent.length,
    GAP,
  );
  const below = text === '' ? [] : [whole ? text : cut(text, width - indent.length, more)];
  return [first, ...[...rest, ...below].map((line) => indent + line)].join('\n');
}
