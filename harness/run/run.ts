/**
 * `runScenario`: one run from a scenario to its verdict. Everything that can be refused is refused before the first worker
 * starts and before any file is made; what comes after has a deadline and ends with results.
 */
import { closeSync, rmSync } from 'node:fs';
import { SUPERVISOR } from '../history/directory-reader.ts';
import { HISTORY_FORMAT } from '../history/record.ts';
import { HistoryWriter, stamp } from '../history/writer.ts';
import { FAULTS, type FaultRegistry, unmetNeeds } from '../nemesis/registry.ts';
import { ask } from '../process/ask.ts';
import { startGuard } from '../process/guard.ts';
import { Ledger, sweepLeftovers } from '../process/ledger.ts';
import { assertFeasible, feasibility } from '../scenario/feasibility.ts';
import type { ProbeAnswer } from '../worker/questions.ts';
import { type RunOptions, type RunOutcome, StoppedBeforeStart } from './api.ts';
import { checkDirectory } from './check.ts';
import { watchClocks } from './clock-watch.ts';
import { Coordinator } from './coordinator.ts';
import { assertOutFolder, refusedFolder } from './out-folder.ts';
import { makeScratch, sweepScratches } from './probe-scratch.ts';
import { discardRunDirectory, linkLatest, makeRunDirectory, type RunDirectory } from './run-directory.ts';
import { writeResults } from './write-results.ts';

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
  assertOutFolder(out);
  const probed = await probeInScratch(options);
  const found = feasibility({ scenario, ...probed });
  const refusals = [...unmetNeeds({ scenario, ...probed }, internals.faults), ...found.refusals];
  assertFeasible({ ...found, refusals }, options.scenarioSource);
  for (const { what, why, fix } of found.warnings) options.onWarning?.(`${what} ${why} ${fix}`);
  sweepLeftovers(out);

  const directory = makeRunDirectory(out, scenario, seed);
  const namespace = `run_${directory.run.replace(/[^A-Za-z0-9]/g, '_')}`;
  const ledger = startLedger(out, directory);
  const stopGuard = startGuard(ledger.file);
  const storeJob = { store: storeModule, namespace, location: directory.store };
  try {
    await prepare(storeJob, ledger, directory, options);
    // Whatever becomes of this run, it is the latest: a person who stops it looks for it there.
    linkLatest(out, directory.path);
    const failure = await execute(options, internals, directory, namespace, ledger, probed);
    const judged = await checkDirectory(directory.path, { interrupted: signal.aborted });
    const results = writeResults(directory.path, judged, failure);
    // The store's files are kept when there is something to look at.
    if (results.verdict === 'valid' && !options.keepStore) {
      await ask({ kind: 'destroy', ...storeJob }, ledger, { logFd: directory.logFd });
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
async function probeInScratch(options: RunOptions): Promise<ProbeAnswer> {
  const { scenario, storeModule, signal, onWaiting } = options;
  sweepScratches();
  using scratch = makeScratch();
  const job = {
    kind: 'probe',
    store: storeModule,
    namespace: 'probe',
    location: scratch.path,
    workload: scenario.workload.kind,
  } as const;
  const answer = await ask<ProbeAnswer>(job, scratch.ledger, { logFd: 'ignore', signal, onWaiting });
  if (!answer) throw new StoppedBeforeStart();
  return answer;
}

async function prepare(
  job: { store: RunOptions['storeModule']; namespace: string; location: string },
  ledger: Ledger,
  directory: RunDirectory,
  { signal, onWaiting }: RunOptions,
): Promise<void> {
  try {
    await ask({ kind: 'prepare', ...job }, ledger, { logFd: directory.logFd, signal, onWaiting });
    if (signal.aborted) throw new StoppedBeforeStart();
  } catch (error) {
    discardRunDirectory(directory);
    throw error;
  }
}

/** Takes the run through its phases. Answers what kept its own history from being written to the end, if anything did. */
async function execute(
  options: RunOptions,
  internals: RunInternals,
  directory: RunDirectory,
  namespace: string,
  ledger: Ledger,
  { declares, methods }: ProbeAnswer,
): Promise<Error | undefined> {
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
  // A full disk ends the run in order: what is on it by then is judged, and workers are not left stopped.
  log.keepFailures();
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
  return log.failure;
}

function startLedger(out: string, directory: RunDirectory): Ledger {
  try {
    return Ledger.start(out, directory.run);
  } catch (error) {
    discardRunDirectory(directory);
    throw refusedFolder(out, error);
  }
}
