/** The kill matrix as a table for people. Pure. */
import { table } from '../../src/text/table.ts';
import type { KillCell } from '../report/results.ts';
import type { Style } from '../report/style.ts';

/** One line for each call and step: how often a worker was killed and stopped there, and what was broken by it. */
export function killMatrixLines(cells: readonly KillCell[], style: Style): readonly string[] {
  const rows = new Map<string, { readonly first: KillCell; kill?: KillCell; stop?: KillCell }>();
  for (const cell of cells) {
    const name = `${cell.op} ${cell.boundary}`;
    const row = rows.get(name) ?? { first: cell };
    row[cell.cut] = cell;
    rows.set(name, row);
  }
  return table(
    [
      { head: 'call' },
      { head: 'step' },
      { head: 'killed', align: 'right' },
      { head: 'stopped', align: 'right' },
      { head: 'verdict' },
    ],
    [...rows.values()]
      .sort((a, b) => (a.first.op < b.first.op ? -1 : a.first.op > b.first.op ? 1 : 0))
      .map(({ first, kill, stop }) => [
        first.op,
        first.boundary,
        String(kill?.hits ?? '–'),
        String(stop?.hits ?? '–'),
        worst([kill, stop]),
      ]),
    { head: style.strong, width: style.width },
  );
}

function worst(cells: readonly (KillCell | undefined)[]): string {
  const verdicts = cells.flatMap((cell) => cell?.verdict ?? []);
  return (['broken', 'not hit', 'held'] as const).find((one) => verdicts.includes(one)) ?? '';
}
