/** `fencepost run`: one run, from a scenario to its verdict. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { wrap } from '../../src/text/layout.ts';
import { visibleLines } from '../../src/text/visible.ts';
import { renderJson } from '../report/json.ts';
import { headline, renderText } from '../report/text.ts';
import type { RunOutcome } from '../run/api.ts';
import { readScenario } from '../scenario/load.ts';
import { isStorePath } from '../scenario/resolve.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { parseSet } from '../scenario/set.ts';
import { resolveStoreModule, type StoreModuleRef } from '../store-module/ref.ts';
import type { CliContext } from './context.ts';
import { exitCodeOf } from './exit.ts';
import { findScenario } from './find-scenario.ts';
import {
  collect,
  evidenceOverrides,
  flagOverrides,
  readDuration,
  readSeed,
  type ScenarioFlags,
  type VerdictFlags,
  verdictFlags,
} from './flags.ts';
import { after } from './help.ts';
import { silentDisplay } from './live.ts';
import { mutantUrlOf } from './mutant-url.ts';
import { once } from './once.ts';
import { powerAfter } from './power.ts';
import { shown } from './shown.ts';

interface RunFlags extends ScenarioFlags, VerdictFlags {
  readonly seed?: number;
  readonly set?: readonly string[];
  readonly out: string;
  readonly untilViolation?: boolean;
  readonly keepStore?: boolean;
  readonly power?: boolean;
  readonly powerMax: number;
}

const EXAMPLES = [
  'fencepost run kill-mid-lease',
  'fencepost run ./my-scenario.yaml --store ./my-store.mjs --seed 81237',
  'fencepost run kill-mid-lease --set lease=500ms --set faults.kill=60 --duration 30s',
  'fencepost run kill-mid-lease --store ./my-store.mjs --power',
];
const EXIT_CODES =
  '0 valid, 1 violated, 2 inconclusive, 3 the test itself went wrong, 64 refused, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP';

/** Adds the command to the program; `done` takes the exit code. */
export function addRun(program: Command, context: CliContext, done: (code: number) => void): void {
  const command = program
    .command('run')
    .summary('one run, from a scenario to its verdict')
    .description('Runs a scenario: starts workers, does them harm, and judges what they saw.')
    .argument('<scenario>', 'a scenario file, or the name of one that comes with the package')
    .option('--store <store>', 'sqlite, memory, mutant:M01, or the path of a store module')
    .option('--seed <number>', 'same seed, same operations and faults (default: random)', readSeed)
    .option('--workers <number>', 'worker processes')
    .option('--duration <time>', 'length of main, such as 30s: sets its min and its max')
    .option('--set <path=value>', 'puts a value over that of the scenario; repeatable', collect)
    .option('--out <folder>', 'where run directories are made', 'reports')
    .option('--keep-store', 'keep what the store holds after a valid run too, below the run directory')
    .option(
      '--until-evidence <number>',
      'main goes on until every guarantee had so many opportunities, or 10m (--duration) are over',
    )
    .option('--until-violation', 'end main at the first violation that is seen')
    .option('--power', 'after a valid run: break the store in known ways, tell what shows')
    .addOption(
      new Option('--power-max <time>', 'no further broken store is tried after this')
        .argParser(readDuration)
        .default(180_000, '3m'),
    )
    .addHelpText('after', after(context, EXAMPLES, EXIT_CODES))
    .action(async (scenario: string, flags: RunFlags) => done(await run(scenario, flags, context)));
  for (const option of verdictFlags()) command.addOption(option);
}

async function run(typed: string, flags: RunFlags, context: CliContext): Promise<number> {
  const { style, stderr, cwd, interruption } = context;
  const overrides = [
    ...evidenceOverrides(flags),
    ...(flags.set ?? []).map(parseSet),
    ...flagOverrides(flags),
  ];
  const { scenario, source } = readScenario(findScenario(typed, cwd, context.scenarios), { overrides, cwd });
  const storeModule = storeOf(scenario, context);
  const seed = flags.seed ?? context.randomSeed();
  const say = flags.quiet ? () => {} : (text: string) => void stderr.write(text);
  const display = flags.quiet ? silentDisplay : context.display();
  const names = { scenario: scenario.name, store: storeModule.spec, workers: scenario.workers, seed };
  // Named once it is sure to start: a refusal stands alone.
  const begin = once(() => say(`${headline(names, style).join('\n')}\n`));
  let outcome: RunOutcome;
  try {
    outcome = await context.runScenario({
      scenario,
      scenarioSource: source,
      seed,
      out: flags.out,
      storeModule,
      signal: interruption.signal,
      untilViolation: flags.untilViolation ?? false,
      keepStore: flags.keepStore ?? false,
      onProgress: (progress) => {
        begin();
        display.show(progress);
      },
      onWaiting: (text) => say(`${wrap(visibleLines(text), style.width).join('\n')}\n`),
      onWarning: (text) => {
        begin();
        say(`\n${warning(text, style.width).join('\n')}\n`);
      },
    });
  } finally {
    display.clear();
  }
  begin();
  const { results } = outcome;
  const directory = shown(resolve(cwd, outcome.directory), cwd);
  const isJson = flags.reporter === 'json';
  if (!isJson)
    say(
      `\n${renderText(results, {
        style,
        directory,
        latest: latestOf(outcome.directory, flags.out, cwd),
        headline: false,
        command: context.command,
      })}`,
    );
  const green = { scenario, storeModule, seed, out: flags.out, green: outcome, display, say };
  const power = flags.power ? await powerAfter({ ...green, maxMs: flags.powerMax }, context, isJson) : {};
  if (isJson) context.stdout.write(renderJson(results, power));
  return exitCodeOf({ verdict: results.verdict, interruptedBy: interruption.by(), ...flags });
}

/** The module of the scenario's store; a path is shown as a person would type it here. */
function storeOf(scenario: Scenario, context: CliContext): StoreModuleRef {
  const ref = resolveStoreModule(scenario.store, {
    cwd: context.cwd,
    mutant: (id) => mutantUrlOf(id, context.mutants),
  });
  return isStorePath(scenario.store) ? { ...ref, spec: shown(scenario.store, context.cwd, './') } : ref;
}

/** `reports/latest`, when it leads to this run: shorter to type. */
function latestOf(directory: string, out: string, cwd: string): string | undefined {
  const link = resolve(cwd, out, 'latest');
  try {
    return realpathSync(link) === realpathSync(directory) ? shown(link, cwd) : undefined;
  } catch {
    // No link: links are not to be had everywhere.
    return undefined;
  }
}

function warning(text: string, width: number): string[] {
  return wrap(visibleLines(text), width - 11).map(
    (line, index) => `${index === 0 ? '  warning  ' : '           '}${line}`,
  );
}
