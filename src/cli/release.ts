/** `blackboard release`: the operator's unstick. */
import type { Command } from 'commander';
import { createBoard } from '../board/board.ts';
import { helpTail } from '../text/help.ts';
import { wrap } from '../text/layout.ts';
import { shellWord } from '../text/shell.ts';
import { visibleLines } from '../text/visible.ts';
import { type BoardFile, withBoard } from './board-file.ts';
import type { CliContext } from './context.ts';
import { EXIT } from './exit.ts';
import { json, name } from './text.ts';

interface Flags {
  readonly force?: boolean;
  readonly as: string;
  readonly json?: boolean;
}

export function addRelease(program: Command, context: CliContext, done: (code: number) => void): void {
  const command = program
    .command('release')
    .summary('take an item from its holder')
    .description(
      "Ends whatever lease stands on an item. The holder's later writes are refused, and an event names who did it. A lapsed lease needs no release: the next claim takes it.",
    )
    .argument('<file>', "the board's file")
    .argument('<key>', 'the item, such as claims/item-1')
    .option('--force', 'yes, although its holder may be at work')
    .option('--as <label>', 'who does it, for the record', 'operator')
    .option('--json', 'the answer as JSON')
    .addHelpText(
      'after',
      helpTail(context.style.width, ['blackboard release board.db claims/item-1 --force --as ann']),
    );
  command.action(async (file: string, key: string, flags: Flags) => {
    if (!flags.force) {
      command.error(
        `Expected --force: the holder of ${name(key)} may be at work, and what it does then is lost. Look first: blackboard claims ${shellWord(file)}`,
      );
    }
    const code = await withBoard({ file, clock: context.clock }, (board) =>
      release(board, key, flags, context),
    );
    done(code);
  });
}

async function release(
  { store }: BoardFile,
  key: string,
  flags: Flags,
  context: CliContext,
): Promise<number> {
  const board = createBoard({ store, label: flags.as });
  const before = await board.item(key);
  const outcome = await board.forceRelease(key);
  const holder = before?.owner;
  const say = (text: string) =>
    void context.stderr.write(`${wrap(visibleLines(text), context.style.width).join('\n')}\n`);
  if (flags.json) {
    const answer = outcome.accepted
      ? { released: true, key, holder, generation: before?.generation, by: flags.as }
      : { released: false, key, refusal: outcome.refusal };
    context.stdout.write(`${json(answer)}\n`);
  } else if (outcome.accepted) {
    const generation = before?.generation === undefined ? '' : ` under generation ${before.generation}`;
    say(
      `Released ${name(key)}, held by ${name(holder)}${generation}. Recorded as force-released by ${name(flags.as)}.`,
    );
  } else {
    say(`Refused (${outcome.refusal.code}): ${outcome.refusal.message}`);
  }
  return outcome.accepted ? EXIT.done : EXIT.refused;
}
