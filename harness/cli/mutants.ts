/** `fencepost mutants`: what the harness catches. Runs each broken store until a violation is seen. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { parseDuration } from '../scenario/duration.ts';
import { loadScenario } from '../scenario/load.ts';
import type { Override } from '../scenario/set.ts';
import type { CliContext, MutantEntry } from './context.ts';
import { EXIT } from './exit.ts';
import { readSeed } from './flags.ts';
import { silentDisplay } from './live.ts';
import { closing, type MutantResult, mutantTable, resultOf, sentence } from './mutant-report.ts';
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

Exit: 0 all caught, 1 a survivor, 3 the test itself went wrong, 64 refused, 130 Ctrl-C.`;

/** Adds the command to the program; `done` takes the exit code. */
export function addMutants(program: Command, context: CliContext, done: (code: number) => void): void {
  program
    .command('mutants')
    .summary('what the harness catches: stores that are broken on purpose')
    .description('Runs every store that is broken on purpose, and shows which guarantee caught it, and when.')
    .option('--only <ids>', 'these mutants, such as M01,M07')
    .option('--seed <number>', 'seed of the first; the others count up from it (default: random)', readSeed)
    .option('--max <time>', 'how long main may go on without a violation', '60s')
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
  const first = flags.seed ?? context.randomSeed();
  const results: MutantResult[] = [];
  for (const [index, mutant] of chosen.entries()) {
    if (interruption.signal.aborted) break;
    stderr.write(`${mutant.id}  ${mutant.title} ${style.mark.more}\n`);
    const result = await runMutant(mutant, (first + index) % 2 ** 32, flags, context);
    stderr.write(`${' '.repeat(mutant.id.length)}  ${sentence(result, style)}\n`);
    results.push(result);
  }
  if (flags.json)
    context.stdout.write(`${JSON.stringify({ schemaVersion: 1, mutants: results }, null, 2)}\n`);
  else context.stdout.write(`\n${mutantTable(results, style).join('\n')}\n`);
  const survivors = results.filter((result) => !result.caught);
  const by = interruption.by();
  if (by !== undefined) return EXIT[by];
  stderr.write(`\n${closing(results, survivors)}\n`);
  if (survivors.some((result) => result.verdict === 'harness-error')) return EXIT.harnessError;
  return survivors.length > 0 ? EXIT.violated : EXIT.valid;
}

async function runMutant(
  mutant: MutantEntry,
  seed: number,
  flags: MutantFlags,
  context: CliContext,
): Promise<MutantResult> {
  const spec = `mutant:${mutant.id}`;
  const overrides: Override[] = [
    { path: ['store'], value: spec, flag: '--only' },
    { path: ['phases', 'main', 'max'], value: flags.max, flag: `--max ${flags.max}` },
    // Main ends at the first violation, so its min only matters where it would be longer than max.
    ...((parseDuration(flags.max) ?? Number.POSITIVE_INFINITY) < 12_000
      ? [{ path: ['phases', 'main', 'min'], value: flags.max, flag: `--max ${flags.max}` }]
      : []),
  ];
  const scenario = loadScenario(join(context.scenarios, `${mutant.scenario ?? 'kill-mid-lease'}.yaml`), {
    overrides,
    cwd: context.cwd,
  });
  const live = context.display();
  // Off a terminal one line a mutant says enough.
  const display = live.moves ? live : silentDisplay;
  try {
    const { results, directory } = await context.runScenario({
      scenario,
      seed,
      out: flags.out,
      storeModule: { spec, url: mutant.url },
      signal: context.interruption.signal,
      untilViolation: true,
      onProgress: display.show,
    });
    return resultOf(mutant, seed, results, directory);
  } finally {
    display.clear();
  }
}
