/** The command tree, and how it ends: every road leads to one exit code. */
import { Command, CommanderError } from 'commander';
import { FencepostError } from '../errors.ts';
import { layOutHelp } from '../text/commander-help.ts';
import { helpTail } from '../text/help.ts';
import { wrap } from '../text/layout.ts';
import { visibleLines } from '../text/visible.ts';
import { addClaims } from './claims.ts';
import type { CliContext } from './context.ts';
import { addDump } from './dump.ts';
import { EXIT, EXIT_OF } from './exit.ts';
import { FileError } from './file.ts';
import { addJobs } from './jobs.ts';
import { addMcp } from './mcp.ts';
import { addPlan } from './plan.ts';
import { addRelease } from './release.ts';
import { addStats } from './stats.ts';
import { VERSION } from './version.ts';
import { addView } from './view.ts';
import { addWatch } from './watch.ts';

const EXAMPLES = ['blackboard watch board.db', 'blackboard claims board.db', 'blackboard stats board.db'];
const EXIT_CODES =
  'Exit: 0 done, 1 refused, 64 usage, 65 corrupt file, 66 no such file, 67 foreign file, 68 newer file, 69 file failed, 75 file busy, 130 Ctrl-C.';

/** Parses the arguments, runs one command and answers the exit code. Throws only what nobody foresaw. */
export async function runCli(args: readonly string[], context: CliContext): Promise<number> {
  let code: number = EXIT.done;
  const program = createProgram(context, (ended) => {
    code = ended;
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has printed its message. Help and version that were asked for are no mistake.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const ended = exitOf(error);
    if (ended === undefined || !(error instanceof Error)) throw error;
    const lines = visibleLines(error.message)
      .split('\n')
      .flatMap((line) => wrap(line, context.style.width - 2));
    context.stderr.write(`blackboard: refused\n${lines.map((line) => `  ${line}`).join('\n')}\n`);
    return ended;
  }
}

function createProgram(context: CliContext, done: (code: number) => void): Command {
  const program = new Command('blackboard')
    .description(
      'Looks at a board that workers share, also while they work. FILE is the SQLite file of its store.',
    )
    .version(VERSION, '-V, --version')
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .addHelpText('after', helpTail(context.style.width, EXAMPLES, EXIT_CODES));
  const { stdout, stderr, style } = context;
  layOutHelp(program, { stdout, stderr, width: style.width });
  addDump(program, context);
  addWatch(program, context, done);
  addClaims(program, context);
  addRelease(program, context, done);
  addStats(program, context);
  addView(program, context);
  addPlan(program, context, done);
  addJobs(program, context, done);
  addMcp(program, context, done);
  return program;
}

/** Undefined: an error that nobody foresaw. */
function exitOf(error: unknown): number | undefined {
  if (error instanceof FileError) return error.exit;
  if (error instanceof FencepostError) return EXIT_OF[error.code] ?? EXIT.failed;
  return undefined;
}
