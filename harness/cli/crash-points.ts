/** `fencepost crash-points`: kills and stops workers at every step of every call, and shows what became of each. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { commandLines } from '../../src/text/help.ts';
import { checkCommand } from '../report/command.ts';
import { renderJson } from '../report/json.ts';
import { loadScenario } from '../scenario/load.ts';
import { BOUNDARIES } from '../scenario/scenario.ts';
import type { Override } from '../scenario/set.ts';
import { resolveStoreModule } from '../store-module/ref.ts';
import type { CliContext } from './context.ts';
import { EXIT, exitCodeOf } from './exit.ts';
import { collect, readSeed } from './flags.ts';
import { after } from './help.ts';
import { killMatrixLines } from './kill-matrix-lines.ts';
import { mutantUrlOf } from './mutant-url.ts';

interface CrashFlags {
  readonly store: string;
  readonly op?: readonly string[];
  readonly boundary?: readonly string[];
  readonly seed?: number;
  readonly max: string;
  readonly out: string;
  readonly json?: boolean;
}

const EXAMPLES = [
  'fencepost crash-points',
  'fencepost crash-points --op complete --op heartbeat --max 30s',
  'fencepost crash-points --store ./my-store.mjs --boundary before-send --boundary after-send',
];
const EXIT_CODES =
  '0 every combination was hit and every promise held, 1 violated, 2 a combination was not hit, 3 the test itself went wrong, 64 refused, 130 Ctrl-C';

/** Adds the command to the program; `done` takes the exit code. */
export function addCrashPoints(program: Command, context: CliContext, done: (code: number) => void): void {
  program
    .command('crash-points')
    .summary('kills and stops workers at every step of every call')
    .description(
      'Cuts off every kind of call at every step, by a kill and by a pause past the lease, and shows the kill matrix.',
    )
    .option('--store <store>', 'sqlite, mutant:M01, or the path of a store module', 'sqlite')
    .option('--op <name>', 'only this call; repeatable (default: all that the workload makes)', collect)
    .option(
      '--boundary <step>',
      `only this step of ${BOUNDARIES.join(', ')}; repeatable (default: all)`,
      collect,
    )
    .option('--seed <number>', 'same seed, same plan (default: random)', readSeed)
    .option('--max <time>', 'how long main may go on until every combination was hit', '120s')
    .option('--out <folder>', 'where run directories are made', 'reports')
    .option('--json', 'print the results, with the matrix, as JSON')
    .addHelpText('after', after(context, EXAMPLES, EXIT_CODES))
    .action(async (flags: CrashFlags) => done(await crashPoints(flags, context)));
}

async function crashPoints(flags: CrashFlags, context: CliContext): Promise<number> {
  const { cwd, interruption, style, stdout, stderr } = context;
  const scenario = loadScenario(join(context.scenarios, 'crash-points.yaml'), {
    overrides: overridesOf(flags),
    cwd,
  });
  const storeModule = resolveStoreModule(scenario.store, {
    cwd,
    mutant: (id) => mutantUrlOf(id, context.mutants),
  });
  const display = context.display();
  try {
    const { results, directory } = await context.runScenario({
      scenario,
      seed: flags.seed ?? context.randomSeed(),
      out: flags.out,
      storeModule,
      signal: interruption.signal,
      onProgress: display.show,
    });
    display.clear();
    if (flags.json) stdout.write(renderJson(results));
    else stdout.write(`${killMatrixLines(results.killMatrix ?? [], style).join('\n')}\n`);
    const check = checkCommand({ command: context.command, directory });
    stderr.write(`\n${results.verdict}\nnext: ${commandLines(check, style.width - 6).join('\n')}\n`);
    const by = interruption.by();
    return by === undefined ? exitCodeOf({ verdict: results.verdict, interruptedBy: undefined }) : EXIT[by];
  } finally {
    display.clear();
  }
}

function overridesOf({ store, op = [], boundary = [], max }: CrashFlags): readonly Override[] {
  const options = ['faults', 'options', 'crash-point'];
  return [
    { path: ['store'], value: store, flag: `--store ${store}` },
    { path: ['phases', 'main', 'max'], value: max, flag: `--max ${max}` },
    ...(op.length === 0 ? [] : [{ path: [...options, 'ops'], value: op, flag: `--op ${op.join(' --op ')}` }]),
    ...(boundary.length === 0
      ? []
      : [
          {
            path: [...options, 'boundaries'],
            value: boundary,
            flag: `--boundary ${boundary.join(' --boundary ')}`,
          },
        ]),
  ];
}
