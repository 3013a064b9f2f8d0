/** `blackboard claims`: who holds what, for how long, and what nobody has taken over yet. */
import type { Command } from 'commander';
import { allItems } from '../board/pages.ts';
import type { Item } from '../store.ts';
import { helpTail } from '../text/help.ts';
import { cut, wrap } from '../text/layout.ts';
import { table } from '../text/table.ts';
import { type BoardFile, withBoard } from './board-file.ts';
import { type CliContext, print } from './context.ts';
import { count, duration, json, name, type Style } from './text.ts';

interface Flags {
  readonly json?: boolean;
}

export function addClaims(program: Command, context: CliContext): void {
  program
    .command('claims')
    .summary('who holds what, and for how long')
    .description(
      'Lists the items under a lease. One whose lease ran out is still held until somebody claims it: its worker is late, or dead.',
    )
    .argument('<file>', "the board's file")
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      helpTail(context.style.width, ['blackboard claims board.db', 'watch -n 1 blackboard claims board.db']),
    )
    .action((file: string, flags: Flags) =>
      withBoard({ file, clock: context.clock }, (board) => claims(board, flags, context)),
    );
}

async function claims({ store }: BoardFile, flags: Flags, context: CliContext): Promise<void> {
  const held: Item[] = [];
  for await (const item of allItems(store)) if (item.state === 'leased') held.push(item);
  const nowMs = store.nowMs();
  if (flags.json) {
    print(
      context,
      held.map((item) => json(claimOf(item, nowMs))),
    );
    return;
  }
  if (held.length === 0) {
    context.stderr.write('No item is held.\n');
    return;
  }
  const { style } = context;
  const columns = [
    { head: 'item' },
    { head: 'holder' },
    { head: 'generation', align: 'right' },
    { head: 'time left' },
  ] as const;
  print(
    context,
    table(
      columns,
      held.map((item) => rowOf(item, nowMs, style)),
      { head: style.strong, width: style.width },
    ),
  );
  const lapsed = held.filter((item) => claimOf(item, nowMs).expired).length;
  if (lapsed > 0)
    context.stderr.write(
      `\n${wrap(
        `${count(lapsed)} expired and held: the next claim takes ${lapsed === 1 ? 'it' : 'them'} over.`,
        style.width - 2,
      )
        .map((line) => `  ${line}`)
        .join('\n')}\n`,
    );
}

function claimOf({ key, owner, generation, attempts, expiresAtMs }: Item, nowMs: number) {
  const left = expiresAtMs === undefined ? {} : { expiresAtMs, leftMs: expiresAtMs - nowMs };
  // At its deadline a lease is over.
  return {
    key,
    holder: owner,
    generation,
    attempts,
    ...left,
    expired: expiresAtMs !== undefined && nowMs >= expiresAtMs,
  };
}

function rowOf(item: Item, nowMs: number, style: Style): string[] {
  const { leftMs, expired } = claimOf(item, nowMs);
  const left = leftMs === undefined ? 'unknown' : duration(Math.abs(leftMs));
  return [
    cut(name(item.key), 32, style.more),
    cut(name(item.owner), 16, style.more),
    String(item.generation ?? '-'),
    expired ? style.bad(`${style.cross} expired ${left} ago`) : left,
  ];
}
