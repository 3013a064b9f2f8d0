/** `blackboard dump`: the whole board, readable. */
import type { Command } from 'commander';
import { readNamespaces } from '../board/namespaces.ts';
import { allItems, newestEntries, versionsOf } from '../board/pages.ts';
import { matches, type Pattern, parsePattern } from '../board/pattern.ts';
import type { Entry, Item } from '../store.ts';
import { helpTail } from '../text/help.ts';
import { pad } from '../text/layout.ts';
import { type BoardFile, withBoard } from './board-file.ts';
import { type CliContext, print } from './context.ts';
import { row } from './row.ts';
import { json, name, timeOfDay, value } from './text.ts';

interface Flags {
  readonly namespace?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly full?: boolean;
}

export function addDump(program: Command, context: CliContext): void {
  program
    .command('dump')
    .summary('the whole board, readable')
    .description(
      'Prints the entries of a board: of append-only keys every one, of others the newest. Then its work items.',
    )
    .argument('<file>', "the board's file")
    .option('-n, --namespace <pattern>', 'only keys that the pattern matches, such as "facts/*"')
    .option('--full', 'do not cut values at the end of the line')
    .option('--json', 'one JSON object a line: {"entry": …} or {"item": …}')
    .option('--config <path>', 'namespaces of the board, as YAML or JSON')
    .addHelpText(
      'after',
      helpTail(context.style.width, [
        'blackboard dump board.db',
        'blackboard dump board.db -n "facts/*" --json',
      ]),
    )
    .action((file: string, flags: Flags) =>
      withBoard({ file, config: flags.config, clock: context.clock }, (board) => dump(board, flags, context)),
    );
}

async function dump(board: BoardFile, flags: Flags, context: CliContext): Promise<void> {
  const pattern = flags.namespace === undefined ? undefined : parsePattern('--namespace', flags.namespace);
  let seen = 0;
  for await (const entry of entries(board, pattern)) {
    seen += 1;
    print(context, [flags.json ? json({ entry }) : entryLine(entry, flags, context)]);
  }
  for await (const item of allItems(board.store)) {
    if (pattern !== undefined && !matches(pattern, item.key)) continue;
    seen += 1;
    print(context, [flags.json ? json({ item }) : itemLine(item, flags, context)]);
  }
  if (seen === 0) context.stderr.write('Nothing there.\n');
}

async function* entries({ store, config }: BoardFile, pattern: Pattern | undefined): AsyncGenerator<Entry> {
  const namespaces = readNamespaces(config.namespaces);
  for await (const newest of newestEntries(store, pattern === undefined ? undefined : [pattern])) {
    if (namespaces.keepsAll(newest.key)) yield* versionsOf(store, newest.key);
    else yield newest;
  }
}

function entryLine(
  { key, version, author, createdAtMs, value: content }: Entry,
  flags: Flags,
  context: CliContext,
) {
  const cells = [timeOfDay(createdAtMs), pad(name(key), 20), pad(`v${version}`, 4), pad(name(author), 10)];
  return row(cells, value(content), context.style, flags.full);
}

function itemLine(item: Item, flags: Flags, context: CliContext): string {
  const { state, key, generation, owner, result } = item;
  const cells = [
    pad(name(state), 12),
    pad(name(key), 20),
    pad(`g${generation ?? '-'}`, 4),
    pad(name(owner), 10),
  ];
  return row(cells, result === undefined ? '' : value(result), context.style, flags.full);
}
