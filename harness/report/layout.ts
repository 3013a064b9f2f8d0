/** The two columns of the report: a label, and beside it what there is to say. Pure. */
import { pad } from '../../src/text/layout.ts';

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
