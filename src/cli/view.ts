/** `blackboard view`: what one worker would be shown. */
import { type Command, Option } from 'commander';
import { createBoard } from '../board/board.ts';
import { helpTail } from '../text/help.ts';
import { withBoard } from './board-file.ts';
import type { CliContext } from './context.ts';
import { readWhole } from './flags.ts';
import { name } from './text.ts';

interface Flags {
  readonly subscribe: readonly string[];
  readonly pinned?: readonly string[];
  readonly limit?: number;
  readonly tokens?: number;
  readonly config?: string;
}

export function addView(program: Command, context: CliContext): void {
  program
    .command('view')
    .summary('what one worker is shown of the board')
    .description(
      "Prints the view of a worker: what others wrote, newest first, within a limit. The worker's own entries are left out.",
    )
    .argument('<file>', "the board's file")
    .argument('<worker>', 'label of the worker that reads')
    .requiredOption('-s, --subscribe <pattern...>', 'keys to show, such as "facts/*"')
    .option('-p, --pinned <pattern...>', 'keys that come first and are never cut')
    .addOption(
      new Option('-l, --limit <characters>', 'length of the whole (default: 8000)').argParser(readWhole(200)),
    )
    .addOption(
      new Option('--tokens <number>', 'length in tokens, estimated as one for four characters')
        .argParser(readWhole(200))
        .conflicts('limit'),
    )
    .option('--config <path>', 'namespaces of the board, as YAML or JSON')
    .addHelpText(
      'after',
      helpTail(context.style.width, [
        'blackboard view board.db scout-1 -s "facts/*" plan/current --limit 2000',
      ]),
    )
    .action((file: string, worker: string, flags: Flags) =>
      withBoard({ file, config: flags.config, clock: context.clock }, async ({ store, config }) => {
        const board = createBoard({ store, namespaces: config.namespaces, label: worker });
        const { subscribe, pinned = [], limit, tokens } = flags;
        const asked = tokens === undefined ? limit : { tokens };
        const view = await board.view({
          subscribe,
          pinned,
          ...(asked === undefined ? {} : { limit: asked }),
        });
        if (view === '') context.stderr.write(`Nothing to show to ${name(worker)}.\n`);
        else context.stdout.write(`${view}\n`);
      }),
    );
}
