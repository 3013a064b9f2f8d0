/** The command tree, and how it ends: every road leads to one exit code. */
import { Command, CommanderError } from 'commander';
import { layOutHelp } from '../../src/text/commander-help.ts';
import { wrap } from '../../src/text/layout.ts';
import { visible, visibleLines } from '../../src/text/visible.ts';
import { StoppedBeforeStart } from '../run/api.ts';
import { formatPlace, UsageError } from '../scenario/usage-error.ts';
import { VERSION } from '../version.ts';
import { addCheck } from './check.ts';
import type { CliContext } from './context.ts';
import { addCrashPoints } from './crash-points.ts';
import { EXIT } from './exit.ts';
import { after } from './help.ts';
import { addLists } from './lists.ts';
import { addMutants } from './mutants.ts';
import { addRun } from './run.ts';

const EXAMPLES = [
  'fencepost run kill-mid-lease',
  'fencepost run kill-mid-lease --store ./my-store.mjs',
  'fencepost check reports/latest',
];

/** Parses the arguments, runs one command and answers the exit code. Throws only what nobody foresaw. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  let code: number = EXIT.valid;
  const program = createProgram(context, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its message. Help and version that were asked for are no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.valid : EXIT.usage;
    if (error instanceof StoppedBeforeStart) {
      context.stderr.write(`${wrap(error.message, context.style.width).join('\n')}\n`);
      return EXIT[context.interruption.by() ?? 'SIGINT'];
    }
    if (!(error instanceof UsageError)) throw error;
    context.stderr.write(`${refusal(error, context)}\n`);
    return EXIT.usage;
  }
}

function createProgram(context: CliContext, done: (code: number) => void): Command {
  const program = new Command('fencepost')
    .description(
      'Finds out whether a store of leases keeps its promises while workers die, freeze and come back.',
    )
    .version(VERSION, '-V, --version')
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', after(context, EXAMPLES));
  const { stdout, stderr, style } = context;
  layOutHelp(program, { stdout, stderr, width: style.width });
  addRun(program, context, done);
  addCheck(program, context, done);
  addMutants(program, context, done);
  addCrashPoints(program, context, done);
  addLists(program, context);
  return program;
}

/** Every problem on lines of its own: place, what was expected and got, what to do. */
function refusal(error: UsageError, { style }: CliContext): string {
  const reasons = error.problems.length;
  const head = style.bad(`fencepost: refused${reasons === 1 ? '' : `, for ${reasons} reasons`}`);
  const blocks = error.problems.map(({ message, hint, place }) => {
    const where = formatPlace(place);
    const indent = (text: string, spaces: string) =>
      visibleLines(text)
        .split('\n')
        .flatMap((line) => wrap(line, style.width - spaces.length).map((part) => spaces + part));
    return [
      ...(where === '' ? [] : wrap(visible(where), style.width - 2).map((line) => `  ${style.strong(line)}`)),
      ...indent(message, '  '),
      ...(hint === undefined ? [] : indent(hint, '    ').map(style.faint)),
    ].join('\n');
  });
  return [head, ...blocks].join('\n\n');
}
