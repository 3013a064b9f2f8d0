/** Tables of padded columns that fit a line. Pure. */
import { pad, widthOf } from './layout.ts';

/** One column. */
export interface Column {
  readonly head: string;
  readonly align?: 'left' | 'right';
}

/** Rows under their heads, indented by two, three spaces between columns. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  dress: { readonly head: (text: string) => string },
): string[] {
  const widths = columns.map((column, index) =>
    Math.max(widthOf(column.head), ...rows.map((row) => widthOf(row[index] ?? ''))),
  );
  const line = (cells: readonly string[]): string =>
    `  ${columns.map((column, index) => pad(cells[index] ?? '', widths[index] ?? 0, column.align)).join('   ')}`.trimEnd();
  return [dress.head(line(columns.map((column) => column.head))), ...rows.map(line)];
}
