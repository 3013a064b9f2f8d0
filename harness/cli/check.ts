/** `fencepost check`: judges a saved history again. */
import type { Command } from 'commander';
import { renderJson } from '../report/json.ts';
import { renderText } from '../report/text.ts';
import type { CliContext } from './context.ts';
import { exitCodeOf } from './exit.ts';
import { type VerdictFlags, verdictFlags } from './flags.ts';
import { after } from './help.ts';

interface CheckFlags extends VerdictFlags {
  readonly item?: string;
}

const EXAMPLES = [
  'fencepost check reports/latest',
  'fencepost check reports/latest --item claims/item-17',
  'fencepost check worker-1.ndjson worker-2.ndjson --reporter json',
];
const EXIT_CODES = '0 valid, 1 violated, 2 inconclusive, 3 the test itself went wrong, 64 refused';

/** Adds the command to the program; `done` takes the exit code. */
export function addCheck(program: Command, context: CliContext, done: (code: number) => void): void {
  const command = program
    .command('check')
    .summary('judge a saved history again')
    .description(
      'Judges the history of a run directory, or history files of any tool, and gives the verdict.',
    )
    .argument('<path...>', 'a run directory, or history files')
    .option('--item <key>', 'judge one item only, and tell its story')
    .addHelpText('after', after(context, EXAMPLES, EXIT_CODES))
    .action(async (paths: readonly string[], flags: CheckFlags) => done(await check(paths, flags, context)));
  for (const option of verdictFlags()) command.addOption(option);
}

async function check(paths: readonly string[], flags: CheckFlags, context: CliContext): Promise<number> {
  const { style, interruption } = context;
  const [only] = paths;
  const one = paths.length === 1 ? only : undefined;
  const results = await context.checkDirectory(one ?? paths, {
    item: flags.item,
    signal: interruption.signal,
  });
  if (flags.reporter === 'json') context.stdout.write(renderJson(results));
  else if (!flags.quiet) {
    context.stderr.write(renderText(results, { style, directory: one, command: context.command }));
  }
  return exitCodeOf({ verdict: results.verdict, interruptedBy: interruption.by(), ...flags });
}
