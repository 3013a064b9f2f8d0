/** `blackboard stats`: how a board is doing, and one sentence when a rate is telling. */
import type { Command } from 'commander';
import { adviceOn } from '../board/advice.ts';
import { readNamespaces } from '../board/namespaces.ts';
import { type BoardStats, boardStats } from '../board/stats.ts';
import { helpTail } from '../text/help.ts';
import { pad, wrap } from '../text/layout.ts';
import { table } from '../text/table.ts';
import { withBoard } from './board-file.ts';
import { type CliContext, print } from './context.ts';
import { count, json, name, percent, plural, type Style } from './text.ts';

interface Flags {
  readonly config?: string;
  readonly json?: boolean;
}

export function addStats(program: Command, context: CliContext): void {
  program
    .command('stats')
    .summary('conflicts, reclaims, entries, and who reads')
    .description(
      'Counts since the board was made. A conflict is a refusal because of another worker; a reclaim is a claim of an item whose former lease ran out.',
    )
    .argument('<file>', "the board's file")
    .option('--json', 'one JSON object')
    .option('--config <path>', 'namespaces of the board, as YAML or JSON')
    .addHelpText(
      'after',
      helpTail(context.style.width, [
        'blackboard stats board.db',
        'blackboard stats board.db --json | jq .conflictRate',
      ]),
    )
    .action((file: string, flags: Flags) =>
      withBoard({ file, config: flags.config, clock: context.clock }, async ({ store, config }) => {
        const stats = await boardStats(store, readNamespaces(config.namespaces));
        const advice = adviceOn(stats);
        if (flags.json) print(context, [json(advice === undefined ? stats : { ...stats, advice })]);
        else print(context, [...textOf(stats, context.style), ...adviceLines(advice, context.style)]);
      }),
    );
}

function textOf(stats: BoardStats, style: Style): string[] {
  const { conflicts, conflictRate, answers, reclaims, reclaimRate, claims, persistentConflicts } = stats;
  const line = (label: string, text: string) =>
    wrapped(text, style.width - 14).map((part, i) => `  ${pad(i === 0 ? label : '', 12)}${part}`);
  const rows = stats.namespaces.map(({ pattern, mode, keys, entries, items }) => [
    name(pattern),
    mode,
    count(keys),
    count(entries),
    count(items),
  ]);
  const right = { align: 'right' } as const;
  const columns = [
    { head: 'namespace' },
    { head: 'mode' },
    { head: 'keys', ...right },
    { head: 'entries', ...right },
    { head: 'items', ...right },
  ];
  return [
    ...line('conflicts', `${count(conflicts)} of ${count(answers)} answers   ${percent(conflictRate)}`),
    ...(persistentConflicts === 0 ? [] : line('', `${count(persistentConflicts)} told to the orchestrator`)),
    ...line('reclaims', `${count(reclaims)} of ${count(claims)} claims   ${percent(reclaimRate)}`),
    ...readLines(stats, line),
    ...(rows.length === 0 ? [] : ['', ...table(columns, rows, { head: style.strong, width: style.width })]),
  ];
}

/** The text as it is where it fits: its gaps are columns. */
const wrapped = (text: string, width: number): string[] =>
  text.length <= width ? [text] : wrap(text, width);

function readLines({ reads }: BoardStats, line: (label: string, text: string) => string[]): string[] {
  if (reads.length === 0) return line('reads', 'not recorded; createBoard({ recordReads: true }) does');
  return reads.flatMap(({ worker, views, entries }, i) =>
    line(
      i === 0 ? 'reads' : '',
      `${name(worker)}: ${plural(entries, 'entry', 'entries')} of others, ${plural(views, 'view')} (at least)`,
    ),
  );
}

function adviceLines(advice: string | undefined, style: Style): string[] {
  return advice === undefined
    ? []
    : ['', ...wrap(advice, style.width - 2).map((line) => `  ${style.strong(line)}`)];
}
