/** `fencepost mutants`: what the harness catches. Runs each broken store until a violation is seen. */
import { join } from 'node:path';
import type { Command } from 'commander';
import { milliseconds } from '../report/numbers.ts';
import type { Results } from '../report/results.ts';
import type { Style } from '../report/style.ts';
import { table } from '../report/table.ts';
import { parseDuration } from '../scenario/duration.ts';
import { loadScenario } from '../scenario/load.ts';
import type { Override } from '../scenario/set.ts';
import type { CliContext, MutantEntry } from './context.ts';
import { EXIT } from './exit.ts';
import { readSeed } from './flags.ts';
import { mutantOf } from './mutant-url.ts';

interface MutantFlags {
  readonly only?: string;
  readonly seed?: number;
  readonly json?: boolean;
  readonly max: string;
  readonly out: string;
}

/** What became of one mutant. */
interface MutantResult {
  readonly id: string;
  readonly title: string;
  readonly caught: boolean;
  /** Guarantees that were seen broken; `caught` asks for one of those that the mutant breaks. */
  readonly by: readonly string[];
  readonly verdict: Results['verdict'];
  /** From the start of main to the last call of the first witness. */
  readonly afterMs: number | undefined;
  /** Operations of the smallest witness. */
  readonly witness: number | undefined;
  readonly seed: number;
  readonly directory: string;
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
  const scenario = loadScenario(join(context.scenarios, 'kill-mid-lease.yaml'), {
    overrides,
    cwd: context.cwd,
  });
  const display = context.display();
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

/** Caught: violated, and one of the guarantees that this mutant breaks is among those that were seen broken. */
function resultOf(mutant: MutantEntry, seed: number, results: Results, directory: string): MutantResult {
  const broken = results.guarantees.filter((one) => one.verdict === 'broken');
  const by = broken.map((one) => one.guarantee);
  const sizes = broken.flatMap((one) => one.violations.map((violation) => violation.witness.length));
  return {
    id: mutant.id,
    title: mutant.title,
    caught: results.verdict === 'violated' && by.some((id) => mutant.breaks.includes(id)),
    by,
    verdict: results.verdict,
    afterMs: results.firstViolationMs,
    witness: sizes.length === 0 ? undefined : Math.min(...sizes),
    seed,
    directory,
  };
}

function sentence(result: MutantResult, style: Style): string {
  if (result.caught) return style.good(`${style.mark.ok} caught by ${result.by.join(', ')}`);
  const why =
    result.by.length > 0 ? `${result.verdict}, and only by ${result.by.join(', ')}` : result.verdict;
  return style.bad(`${style.mark.bad} not caught: ${why}`);
}

function mutantTable(results: readonly MutantResult[], style: Style): string[] {
  const columns = [
    { head: 'mutant' },
    { head: 'what is broken' },
    { head: 'caught by' },
    { head: 'after', align: 'right' },
    { head: 'witness', align: 'right' },
  ] as const;
  const rows = results.map((one) => [
    one.id,
    one.title.length > 38 ? `${one.title.slice(0, 37)}${style.mark.more}` : one.title,
    one.caught ? one.by.join(' ') : `${style.mark.bad} ${one.verdict}`,
    milliseconds(one.afterMs, style.mark.none),
    one.witness === undefined ? style.mark.none : String(one.witness),
  ]);
  return table(columns, rows, { head: style.faint });
}

function closing(results: readonly MutantResult[], survivors: readonly MutantResult[]): string {
  const [first] = survivors;
  if (first === undefined) return `${results.length} of ${results.length} caught`;
  return `${results.length - survivors.length} of ${results.length} caught; next: fencepost check ${first.directory}`;
}
