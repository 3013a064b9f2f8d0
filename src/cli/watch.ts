/** `blackboard watch`: the feed as it grows, until Ctrl-C. Nothing is held open between two looks. */
import { type Command, Option } from 'commander';
import type { Clock } from '../clock.ts';
import type { Event, FeedPage } from '../store.ts';
import { helpTail } from '../text/help.ts';
import { pad, wrap } from '../text/layout.ts';
import { type BoardFile, withBoard } from './board-file.ts';
import { type CliContext, type Interruption, print } from './context.ts';
import { EXIT } from './exit.ts';
import { readWhole } from './flags.ts';
import { row } from './row.ts';
import { json, name, type Style, timeOfDay } from './text.ts';

interface Flags {
  readonly since?: number;
  readonly every: number;
  readonly json?: boolean;
}

const PAGE = 1000;
/** Kinds that mean that something went wrong with a worker. */
const ALARMING = new Set(['reclaimed', 'force-released', 'dead', 'nacked']);

export function addWatch(program: Command, context: CliContext, done: (code: number) => void): void {
  program
    .command('watch')
    .summary('what happens on a board, as it happens')
    .description(
      `Follows the feed of a board and prints each event. Ends with Ctrl-C (exit ${EXIT.SIGINT}). Heartbeats are no events.`,
    )
    .argument('<file>', "the board's file")
    .addOption(
      new Option(
        '--since <id>',
        'begin behind this event; 0: with the first that is kept (default: with what is new)',
      ).argParser(readWhole(0)),
    )
    .addOption(new Option('--every <ms>', 'how often to look').argParser(readWhole(1)).default(200))
    .option('--json', 'one JSON object a line')
    .addHelpText(
      'after',
      helpTail(context.style.width, [
        'blackboard watch board.db',
        'blackboard watch board.db --since 0 --json | jq .kind',
      ]),
    )
    .action(async (file: string, flags: Flags) => {
      const interruption = context.interruption();
      await withBoard({ file, clock: context.clock }, (board) =>
        watch(board, flags, context, interruption.signal),
      );
      done(EXIT[interruption.by() ?? 'SIGINT']);
    });
}

async function watch(
  board: BoardFile,
  flags: Flags,
  context: CliContext,
  stop: Interruption['signal'],
): Promise<void> {
  const { feed } = board.store;
  let cursor = flags.since ?? (await newest(board));
  while (!stop.aborted) {
    const page = await feed.since(cursor, PAGE);
    if (page.gap) context.stderr.write(`${wrap(gapLine(cursor, page), context.style.width).join('\n')}\n`);
    print(
      context,
      page.events.map((event) => (flags.json ? json(event) : eventLine(event, context.style))),
    );
    cursor = page.cursor;
    if (page.events.length < PAGE) await pause(context.clock, flags.every, stop);
  }
}

/** The cursor behind everything that is there. */
async function newest({ store: { feed } }: BoardFile): Promise<number> {
  for (let cursor = 0; ; ) {
    const page = await feed.since(cursor, PAGE);
    cursor = page.cursor;
    if (page.events.length < PAGE) return cursor;
  }
}

function pause(clock: Clock, ms: number, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      stop.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    stop.addEventListener('abort', end);
    if (stop.aborted) end();
  });
}

function gapLine(cursor: number, { oldestId }: FeedPage): string {
  return `Events behind ${cursor} were trimmed; going on with ${oldestId ?? 'what comes next'}.`;
}

function eventLine(event: Event, style: Style): string {
  const { id, atMs, kind, key, author, version, generation } = event;
  const padded = pad(name(kind), 14);
  const numbers = [
    ...(version === undefined ? [] : [`v${version}`]),
    ...(generation === undefined ? [] : [`g${generation}`]),
  ].join(' ');
  const shown = ALARMING.has(kind) ? style.bad(padded) : padded;
  const cells = [
    pad(String(id), 7, 'right'),
    timeOfDay(atMs),
    shown,
    pad(name(key), 20),
    pad(name(author), 10),
  ];
  return row(cells, numbers, style);
}
