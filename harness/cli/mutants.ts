/** `fencepost mutants`: what the harness catches. Runs each broken store until a violation is seen. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { parseDuration } from '../scenario/duration.ts';
import { loadScenario } from '../scenario/load.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Override } from '../scenario/set.ts';
import type { CliContext, MutantEntry } from './context.ts';
import { EXIT } from './exit.ts';
import { readSeed } from './flags.ts';
import { silentDisplay } from './live.ts';
import { matrixText, renderMatrix } from './mutant-matrix.ts';
import { closing, type MutantResult, resultOf, sentence } from './mutant-report.ts';
import { mutantOf } from './mutant-url.ts';

interface MutantFlags {
  readonly only?: string;
  readonly seed?: number;
  readonly json?: boolean;
  readonly max: string;
  readonly out: string;
}

const HELP = `
Examples:
  $ fencepost mutants
  $ fencepost mutants --only M01,M07 --seed 81237 --max 30s

Exit: 0 all caught but documented limits, 1 a survivor, 3 the test itself went wrong, 64 refused,
130 Ctrl-C.`;

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
    .addHelpText('after', HELP)
    .action(async (flags: MutantFlags) => done(await runMutants(flags, context)));
}

async function runMutants(flags: MutantFlags, context: CliContext): Promise<number> {
  const { stderr, style, interruption } = context;
  const chosen =
    flags.only === undefined
      ? context.mutants
      : flags.only.split(',').map((id) => mutantOf(id.trim(), context.mutants));
  const waiting = chosen.filter(({ waitsFor }) => waitsFor !== undefined);
  const runnable = chosen.filter(({ waitsFor }) => waitsFor === undefined);
  const first = flags.seed ?? context.randomSeed();
  const results: MutantResult[] = [];
  for (const [index, mutant] of runnable.entries()) {
    if (interruption.signal.aborted) break;
    stderr.write(`${mutant.id}  ${mutant.title} ${style.mark.more}\n`);
    const result = await runMutant(mutant, (first + index) % 2 ** 32, flags, context);
    stderr.write(`${' '.repeat(mutant.id.length)}  ${sentence(result, style)}\n`);
    results.push(result);
  }
  if (flags.json) context.stdout.write(`${renderMatrix(results, waiting)}\n`);
  else context.stdout.write(`\n${matrixText(results, waiting, style).join('\n')}\n`);
  const holes = results.filter((result) => result.fate === 'missed' || result.fate === 'accused');
  const by = interruption.by();
  if (by !== undefined) return EXIT[by];
  stderr.write(`\n${closing(results, holes)}\n`);
  if (holes.some((result) => result.verdict === 'harness-error')) return EXIT.harnessError;
  return holes.length > 0 ? EXIT.violated : EXIT.valid;
}

async function runMutant(
  mutant: MutantEntry,
  seed: number,
  flags: MutantFlags,
  context: CliContext,
): Promise<MutantResult> {
  const spec = `mutant:${mutant.id}`;
  const live = context.display();
  // Off a terminal one line a mutant says enough.
  const display = live.moves ? live : silentDisplay;
  const began = performance.now();
  try {
    const { results, directory } = await context.runScenario({
      scenario: scenarioOf(mutant, flags.max, context),
      seed,
      out: flags.out,
      storeModule: { spec, url: mutant.url },
      signal: context.interruption.signal,
      untilViolation: true,
      onProgress: display.show,
    });
    return resultOf(mutant, seed, results, directory, performance.now() - began);
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
