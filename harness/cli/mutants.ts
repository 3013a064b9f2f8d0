/** `fencepost mutants`: what the harness catches. Runs each broken store until a violation is seen. */
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { wrap } from '../../src/text/layout.ts';
import { parseDuration } from '../scenario/duration.ts';
import { loadScenario } from '../scenario/load.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Override } from '../scenario/set.ts';
import type { CliContext, MutantEntry } from './context.ts';
import { EXIT } from './exit.ts';
import { readSeed } from './flags.ts';
import { after } from './help.ts';
import { silentDisplay } from './live.ts';
import { matrixText, renderMatrix } from './mutant-matrix.ts';
import { closing, type MutantResult, resultOf, sentence } from './mutant-report.ts';
import { mutantOf } from './mutant-url.ts';
import { once } from './once.ts';
import { shown } from './shown.ts';

interface MutantFlags {
  readonly only?: string;
  readonly seed?: number;
  readonly json?: boolean;
  readonly max: string;
  readonly out: string;
}

const EXAMPLES = ['fencepost mutants', 'fencepost mutants --only M01,M07 --seed 81237 --max 30s'];
const EXIT_CODES =
  '0 all caught but documented limits, 1 a survivor, 3 the test itself went wrong, 64 refused, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP';

/** Adds the command to the program; `done` takes the exit code. */
export function addMutants(program: Command, context: CliContext, done: (code: number) => void): void {
  program
    .command('mutants')
    .summary('what the harness catches: stores that are broken on purpose')
    .description(
      'Runs every store that is broken on purpose: what is seen broken, after how long, and why survivors survive.',
    )
    .option('--only <ids>', 'these mutants, such as M01,M07')
    .option('--seed <number>', 'seed of the first; the others count up from it (default: random)', readSeed)
    .option('--max <time>', 'how long main may go on without a violation', '40s')
    .option('--out <folder>', 'where run directories are made', 'reports/mutants')
    .option('--json', 'print the table as JSON')
    .addHelpText('after', after(context, EXAMPLES, EXIT_CODES))
    .action(async (flags: MutantFlags) => done(await runMutants(flags, context)));
}

/** A run that was made ready: everything that can be wrong with what was typed has been refused. */
interface Planned {
  readonly mutant: MutantEntry;
  readonly scenario: Scenario;
  readonly seed: number;
}

async function runMutants(flags: MutantFlags, context: CliContext): Promise<number> {
  const { stdout, stderr, style, interruption } = context;
  const { planned, waiting } = plan(flags, context);
  const results: MutantResult[] = [];
  for (const one of planned) {
    if (interruption.signal.aborted) break;
    const result = await runMutant(one, flags, context);
    stderr.write(`     ${sentence(result, style)}\n`);
    results.push(result);
  }
  if (flags.json) stdout.write(`${renderMatrix(results, waiting)}\n`);
  else stdout.write(`\n${matrixText(results, waiting, style).join('\n')}\n`);
  const holes = results.filter((result) => result.fate === 'missed' || result.fate === 'accused');
  const by = interruption.by();
  if (by !== undefined) return EXIT[by];
  stderr.write(`\n${closing(results, holes, context.command, style.width)}\n`);
  if (holes.some((result) => result.verdict === 'harness-error')) return EXIT.harnessError;
  return holes.length > 0 ? EXIT.violated : EXIT.valid;
}

/** All of them, before the first one starts: a wrong flag is refused, and nothing else is shown. */
function plan(flags: MutantFlags, context: CliContext): { planned: Planned[]; waiting: MutantEntry[] } {
  const chosen =
    flags.only === undefined
      ? context.mutants
      : flags.only.split(',').map((id) => mutantOf(id.trim(), context.mutants));
  const first = flags.seed ?? context.randomSeed();
  const planned = chosen
    .filter(({ waitsFor }) => waitsFor === undefined)
    .map((mutant, index) => ({
      mutant,
      scenario: scenarioOf(mutant, flags.max, context),
      seed: (first + index) % 2 ** 32,
    }));
  return { planned, waiting: chosen.filter(({ waitsFor }) => waitsFor !== undefined) };
}

async function runMutant(
  { mutant, scenario, seed }: Planned,
  flags: MutantFlags,
  context: CliContext,
): Promise<MutantResult> {
  const { cwd, stderr, style } = context;
  const live = context.display();
  // Off a terminal one line a mutant says enough.
  const display = live.moves ? live : silentDisplay;
  // Named once it is sure to start: a refusal stands alone.
  const begin = once(() =>
    stderr.write(
      `${wrap(`${mutant.id}  ${mutant.title} ${style.mark.more}`, style.width - 5).join('\n     ')}\n`,
    ),
  );
  const began = performance.now();
  try {
    const { results, directory } = await context.runScenario({
      scenario,
      seed,
      out: flags.out,
      storeModule: { spec: `mutant:${mutant.id}`, url: mutant.url },
      signal: context.interruption.signal,
      untilViolation: true,
      onProgress: (progress) => {
        begin();
        display.show(progress);
      },
    });
    begin();
    return resultOf(mutant, seed, results, shown(resolve(cwd, directory), cwd), performance.now() - began);
  } finally {
    display.clear();
  }
}

/** The scenario that shows the mutant, with a main that ends at `max` where its own would end later. */
function scenarioOf(mutant: MutantEntry, max: string, context: CliContext): Scenario {
  const file = join(context.scenarios, `${mutant.scenario ?? 'kill-mid-lease'}.yaml`);
  const store: Override = { path: ['store'], value: `mutant:${mutant.id}`, flag: '--only' };
  const load = (overrides: readonly Override[]) => loadScenario(file, { overrides, cwd: context.cwd });
  const cut = (end: string): Override => ({
    path: ['phases', 'main', end],
    value: max,
    flag: `--max ${max}`,
  });
  const { main } = load([store]).phases;
  const limitMs = parseDuration(max);
  // What cannot be read is refused by the rules of the scenario file, in the name of the flag.
  const isOver = (ms: number): boolean => limitMs === undefined || ms > limitMs;
  return load([
    store,
    ...(isOver(main.maxMs) ? [cut('max')] : []),
    ...(isOver(main.minMs) ? [cut('min')] : []),
  ]);
}
