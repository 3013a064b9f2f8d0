/** Tables that fit a line: columns where there is room for them, else one short paragraph a row. Pure. */
import { flow, pad, widthOf, wrap } from './layout.ts';

/** One column. */
export interface Column {
  /** Empty: a mark, which goes behind the first cell where rows become paragraphs. */
  readonly head: string;
  readonly align?: 'left' | 'right';
  /** A name that belongs to the first cell: it stands behind it where rows become paragraphs. */
  readonly isName?: boolean;
  /** A sentence: it may take several lines where the table is too wide for its line. At most one column, the last. */
  readonly wraps?: boolean;
}

/** How a table is dressed, and the room that it has. */
export interface TableStyle {
  readonly head: (text: string) => string;
  readonly width: number;
}

const INDENT = '  ';
const GAP = '   ';
/** A sentence beside the other columns is not squeezed into less than this. */
const LEAST_BESIDE = 28;

/** Rows under their heads, indented by two, three spaces between columns; no line is wider than the style. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  { head, width }: TableStyle,
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    `${INDENT}${columns.map((column, index) => pad(cells[index] ?? '', widths[index] ?? 0, column.align)).join(GAP)}`.trimEnd();
  const full = INDENT.length + widths.reduce((sum, one) => sum + one + GAP.length, -GAP.length);
  const heads = columns.map((column) => column.head);
  if (full <= width) return [head(line(heads)), ...rows.map(line)];
  const last = columns.length - 1;
  const room = width - (full - (widths[last] ?? 0));
  if (!columns[last]?.wraps || room < LEAST_BESIDE)
    return rows.flatMap((row) => paragraph(columns, row, width));
  const beside = (row: readonly string[]): string[] =>
    wrap(row[last] ?? '', room).map((text, index) =>
      line(index === 0 ? [...row.slice(0, last), text] : [...row.slice(0, last).map(() => ''), text]),
    );
  return [head(line(heads)), ...rows.flatMap(beside)];
}

/** `name ✔`, below it the other cells behind their heads, and a sentence at the end. */
function paragraph(columns: readonly Column[], row: readonly string[], width: number): string[] {
  const cells = columns.map((column, index) => ({ ...column, text: row[index] ?? '' }));
  const [first, ...others] = cells;
  const marks = others.filter((cell) => cell.head === '' || cell.isName).map((cell) => cell.text);
  const pairs = others.filter((cell) => cell.head !== '' && !cell.isName && !cell.wraps && cell.text !== '');
  const sentences = others.filter((cell) => cell.wraps).map((cell) => cell.text);
  const below = `${INDENT}${INDENT}`;
  return [
    ...wrap([first?.text ?? '', ...marks].join(' '), width - INDENT.length).map((text) => INDENT + text),
    ...flow(
      pairs.map((cell) => `${cell.head} ${cell.text}`),
      width - below.length,
      GAP,
    ).map((text) => below + text),
    ...sentences.flatMap((text) => wrap(text, width - below.length).map((part) => below + part)),
  ];
}
