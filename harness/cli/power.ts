/**
 * `fencepost run --power`: after a green run, the user's own store is broken in one way after another, by wrappers that need
 * nothing but the contract, and the same scenario is run on each. What it does not notice then, the green run says nothing about.
 */
import { OBLIGATION_IDS } from '../obligation/registry.ts';
import type { RunOutcome } from '../run/api.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';
import type { CliContext, Display, MutantEntry } from './context.ts';
import { silentDisplay } from './live.ts';
import { type BugClass, noticed, opportunity, type PowerReport, powerText, untried } from './power-report.ts';

/** What the green run was. */
export interface PowerOptions {
  readonly scenario: Scenario;
  readonly storeModule: StoreModuleRef;
  readonly seed: number;
  readonly out: string;
  readonly green: RunOutcome;
  /** No further run starts once this much time is over, ms. */
  readonly maxMs: number;
  readonly display: Display;
  readonly say: (text: string) => void;
}

/** Main of one run lasts no longer than this; most bugs show within two seconds. */
const MAIN_MAX_MS = 15_000;

/** Measures it after a valid run, and tells it where nobody wants JSON. After any other run it says that it does not. */
export async function powerAfter(
  options: PowerOptions,
  context: CliContext,
  isJson: boolean,
): Promise<{ readonly power?: PowerReport }> {
  const { say, green } = options;
  if (green.results.verdict !== 'valid') {
    say('\nThe power of a scenario is measured after a valid run only.\n');
    return {};
  }
  say('\n');
  const power = await measurePower(options, context);
  if (!isJson) say(`\n${powerText(power, context.style).join('\n')}\n`);
  return { power };
}

/** Runs the scenario on each broken form of the store. A Ctrl-C ends it with what is known by then. */
async function measurePower(options: PowerOptions, context: CliContext): Promise<PowerReport> {
  const { green, maxMs, say } = options;
  const { signal } = context.interruption;
  const { style } = context;
  const began = performance.now();
  const scenario = shortened(options.scenario, green.results.numbers.mainMs);
  const classes: BugClass[] = [];
  const able = context.mutants.filter(({ power }) => power !== undefined);
  // Off a terminal one line a bug says enough.
  const display = options.display.moves ? options.display : silentDisplay;
  for (const mutant of able) {
    const none = opportunity(mutant, green.results);
    if (none !== undefined) classes.push(untried(mutant, none));
    else if (signal.aborted) classes.push(untried(mutant, 'interrupted before its turn'));
    else if (performance.now() - began >= maxMs)
      classes.push(untried(mutant, 'the time was up (`--power-max`)'));
    else {
      say(`power ${classes.length + 1}/${able.length}  ${mutant.id}  ${mutant.title} ${style.mark.more}\n`);
      classes.push(await tryOne(mutant, scenario, { ...options, display }, context));
    }
  }
  return { interrupted: signal.aborted, tookMs: Math.round(performance.now() - began), classes };
}

async function tryOne(
  mutant: MutantEntry,
  scenario: Scenario,
  { storeModule, seed, out, display, green }: PowerOptions,
  { runScenario, interruption }: CliContext,
): Promise<BugClass> {
  const { around } = mutant.power ?? {};
  if (around === undefined) throw new TypeError(`${mutant.id} stands around no store`);
  const { signal } = interruption;
  try {
    const { results } = await runScenario({
      scenario,
      seed,
      out: `${out}/power`,
      storeModule: { spec: `${mutant.id} around ${storeModule.spec}`, url: around(storeModule.url) },
      signal,
      untilViolation: true,
      onProgress: display.show,
    });
    if (results.interrupted && results.verdict !== 'violated')
      return untried(mutant, 'interrupted before anything was seen');
    return noticed(mutant, results, green.results);
  } catch (error) {
    if (signal.aborted) return untried(mutant, 'interrupted before its turn');
    // The probe may see at once that the store is broken, and refuse it.
    return untried(mutant, `the run could not start: ${(error as Error)?.message ?? String(error)}`);
  } finally {
    display.clear();
  }
}

/** The same scenario, no longer than the green run was, and asking for no evidence: what is seen is compared afterwards. */
function shortened(scenario: Scenario, greenMainMs: number | undefined): Scenario {
  const { main, ...phases } = scenario.phases;
  const maxMs = Math.min(MAIN_MAX_MS, greenMainMs ?? main.maxMs, main.maxMs);
  return {
    ...scenario,
    phases: { ...phases, main: { minMs: Math.min(main.minMs, maxMs), maxMs } },
    obligations: Object.fromEntries(OBLIGATION_IDS.map((id) => [id, 0])),
  };
}
