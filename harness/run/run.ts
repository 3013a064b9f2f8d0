/**
 * `runScenario`: one run from a scenario to its verdict. Everything that can be refused is refused before the first worker
 * starts and before any file is made; what comes after has a deadline and ends with results.
 */
import { closeSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SUPERVISOR } from '../history/directory-reader.ts';
import { HISTORY_FORMAT } from '../history/record.ts';
import { HistoryWriter, stamp } from '../history/writer.ts';
import { FAULTS, type FaultRegistry, unmetNeeds } from '../nemesis/registry.ts';
import { ask } from '../process/ask.ts';
import { startGuard } from '../process/guard.ts';
import { Ledger, sweepLeftovers } from '../process/ledger.ts';
import { renderJson } from '../report/json.ts';
import type { Results } from '../report/results.ts';
import { assertFeasible, feasibility } from '../scenario/feasibility.ts';
import type { ProbeAnswer } from '../worker/questions.ts';
import { type RunOptions, type RunOutcome, StoppedBeforeStart } from './api.ts';
import { checkDirectory } from './check.ts';
import { watchClocks } from './clock-watch.ts';
import { Coordinator } from './coordinator.ts';
import { discardRunDirectory, linkLatest, makeRunDirectory, type RunDirectory } from './run-directory.ts';

/** Loading, opening and trying a store once. */
const PROBE_MS = 60_000;

/** For tests of the harness itself: other faults than the built-in ones. */
export interface RunInternals {
  readonly faults?: FaultRegistry;
}

/**
 * Runs a scenario to its verdict.
 * @throws a UsageError for what is refused before anything starts.
 */
export async function runScenario(options: RunOptions, internals: RunInternals = {}): Promise<RunOutcome> {
  const { scenario, seed, out, storeModule, signal } = options;
  const probed = await probeInScratch(options);
  const found = feasibility({ scenario, ...probed });
  assertFeasible({
    ...found,
    refusals: [...unmetNeeds({ scenario, ...probed }, internals.faults), ...found.refusals],
  });
  for (const { what, why, fix } of found.warnings) options.onWarning?.(`${what} ${why} ${fix}`);
  sweepLeftovers(out);

  const directory = makeRunDirectory(out, scenario, seed);
  const namespace = `run_${directory.run.replace(/[^A-Za-z0-9]/g, '_')}`;
  const ledger = Ledger.start(out, directory.run);
  const stopGuard = startGuard(ledger.file);
  const storeJob = { store: storeModule, namespace, location: directory.store };
  try {
    await prepare(storeJob, ledger, directory, signal);
    await execute(options, internals, directory, namespace, ledger, probed);
    const results = await checkDirectory(directory.path, { interrupted: signal.aborted });
    writeResults(directory, results);
    linkLatest(out, directory.path);
    // The store's files are kept when there is something to look at.
    if (results.verdict === 'valid' && !options.keepStore) {
      await ask({ kind: 'destroy', ...storeJob }, ledger, { logFd: directory.logFd, limitMs: PROBE_MS });
      rmSync(directory.store, { recursive: true, force: true });
    }
    return { results, directory: directory.path };
  } finally {
    ledger.endAll();
    ledger.remove();
    stopGuard();
    closeSync(directory.logFd);
  }
}

/** In a process of its own and a folder of its own: a store module is somebody else's code. */
async function probeInScratch({ scenario, storeModule, signal }: RunOptions): Promise<ProbeAnswer> {
  const scratch = mkdtempSync(join(tmpdir(), 'fencepost-probe-'));
  const ledger = Ledger.start(scratch, 'probe');
  try {
    const workload = scenario.workload.kind;
    const job = {
      kind: 'probe',
      store: storeModule,
      namespace: 'probe',
      location: scratch,
      workload,
    } as const;
    const answer = await ask<ProbeAnswer>(job, ledger, { logFd: 'ignore', limitMs: PROBE_MS, signal });
    if (!answer) throw new StoppedBeforeStart();
    return answer;
  } finally {
    ledger.endAll();
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function prepare(
  job: { store: RunOptions['storeModule']; namespace: string; location: string },
  ledger: Ledger,
  directory: RunDirectory,
  signal: AbortSignal,
): Promise<void> {
  try {
    await ask({ kind: 'prepare', ...job }, ledger, { logFd: directory.logFd, limitMs: PROBE_MS, signal });
    if (signal.aborted) throw new StoppedBeforeStart();
  } catch (error) {
    discardRunDirectory(directory);
    throw error;
  }
}

async function execute(
  options: RunOptions,
  internals: RunInternals,
  directory: RunDirectory,
  namespace: string,
  ledger: Ledger,
  { declares, methods }: ProbeAnswer,
): Promise<void> {
  const { scenario, seed, storeModule, signal } = options;
  using log = HistoryWriter.create(directory.history, SUPERVISOR, {
    type: 'run',
    format: HISTORY_FORMAT,
    run: directory.run,
    t: stamp(),
    wallMs: Date.now(),
    seed,
    scenario: { ...scenario, store: storeModule.spec },
    declares,
    methods,
  });
  const stopClocks = watchClocks(log);
  try {
    await new Coordinator({
      scenario,
      seed,
      store: storeModule,
      namespace,
      directory,
      ledger,
      log,
      declares,
      methods,
      faults: internals.faults ?? FAULTS,
      signal,
      onProgress: options.onProgress ?? (() => {}),
      untilViolation: options.untilViolation ?? false,
    }).run();
  } finally {
    stopClocks();
  }
}

function writeResults(directory: RunDirectory, results: Results): void {
  writeFileSync(join(directory.path, 'results.json'), renderJson(results));
}
