/** Judges a saved history: a run directory, its history folder, or single files; in a thread under a time and memory budget. */
import { fileURLToPath } from 'node:url';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { Finding } from '../checker/finding.ts';
import { GUARANTEES } from '../checker/guarantee.ts';
import { HistoryBuilder } from '../history/builder.ts';
import { HistoryFile } from '../history/file-reader.ts';
import type { FirstRecord } from '../history/first-record.ts';
import type { Results } from '../report/results.ts';
import { recordedScenario } from '../scenario/recorded.ts';
import { UsageError } from '../scenario/usage-error.ts';
import { DEFAULT_DECLARES } from '../store-module/declares.ts';
import { VERSION } from '../version.ts';
import type { CheckOptions } from './api.ts';
import { checkPaths } from './check-paths.ts';
import { type ProgressMessage, ProgressSoFar } from './check-progress.ts';
import type { CheckAnswer, CheckTask } from './check-task.ts';
import { judge } from './judge.ts';

/** For a history whose scenario is not known. */
const DEFAULT_BUDGET: Budget = { maxMs: 60_000, maxMemoryMib: 2048 };
/**
 * Memory for each byte of history, at least: what would need more is not begun. Measured 0.5 to 0.9; whether it is kept to is
 * watched while the check runs.
 */
const MEMORY_PER_BYTE = 0.4;
/** How often the memory of the whole process is read. */
const WATCH_MS = 100;

interface Budget {
  readonly maxMs: number;
  readonly maxMemoryMib: number;
}

/**
 * Judges a saved history again; the same files give the same verdict.
 * @throws a UsageError when the path holds no history.
 */
export async function checkDirectory(
  path: string | readonly string[],
  options: CheckOptions = {},
): Promise<Results> {
  const { files, bytes, expectsRun, runId, run } = checkPaths(typeof path === 'string' ? [path] : path);
  const task: CheckTask = {
    paths: files,
    interrupted: options.interrupted ?? false,
    item: options.item,
    expectsRun,
    runId,
  };
  const budget = budgetOf(run);
  const needMib = Math.ceil((bytes * MEMORY_PER_BYTE) / 2 ** 20);
  if (needMib > budget.maxMemoryMib) {
    const why = `the history needs at least ${needMib} MiB, and the check may use ${budget.maxMemoryMib} MiB`;
    return outOfBudget(task, { budget: why, partial: [] });
  }
  return inThread(task, budget, options.signal);
}

/** What ended a check before its end, and how far it had come. */
interface Ended {
  readonly budget: string;
  readonly partial: readonly Finding[];
}

async function inThread(task: CheckTask, budget: Budget, signal: AbortSignal | undefined): Promise<Results> {
  const answer = await runBounded(task, budget, { signal });
  if ('budget' in answer) return outOfBudget(task, answer);
  if ('problems' in answer) throw new UsageError(answer.problems);
  return answer.results;
}

interface Bounds {
  readonly signal?: AbortSignal | undefined;
  /** The module of the thread. Default: the check. */
  readonly filename?: string;
}

/** Runs the judgement in a thread of its own and ends it when its time or memory is spent. */
export async function runBounded(
  task: CheckTask,
  budget: Budget,
  { signal, filename = fileURLToPath(new URL('./check-task.js', import.meta.url)) }: Bounds,
): Promise<CheckAnswer | Ended> {
  const pool = new Piscina<CheckTask, CheckAnswer>({
    filename,
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: budget.maxMemoryMib },
  });
  const limit = AbortSignal.timeout(budget.maxMs);
  const memory = watchMemory(budget.maxMemoryMib);
  // What becomes of the thread while it has no task, before its first or once it is being ended, is told by the pool alone.
  const died = new AbortController();
  pool.on('error', (error: unknown) => died.abort(error));
  const signals = [limit, memory.signal, died.signal, ...(signal ? [signal] : [])];
  const { port1, port2 } = new MessageChannel();
  const progress = new ProgressSoFar();
  port1.on('message', (message: ProgressMessage) => progress.take(message));
  const ended = (why: string): Ended => ({
    budget: `${why}, while ${progress.at}`,
    partial: progress.findings,
  });
  try {
    return await pool.run(
      { ...task, progress: port2 },
      { signal: AbortSignal.any(signals), transferList: [port2] },
    );
  } catch (thrown) {
    const error: unknown = died.signal.aborted ? died.signal.reason : thrown;
    if (limit.aborted) return ended(`the check took longer than ${budget.maxMs / 1000} s`);
    const { code } = error as { code?: string };
    if (memory.signal.aborted || code === 'ERR_WORKER_OUT_OF_MEMORY')
      return ended(`the check needed more than ${budget.maxMemoryMib} MiB`);
    throw error;
  } finally {
    memory.stop();
    port1.close();
    await pool.destroy();
  }
}

/**
 * Aborts once the process has grown by more than so much. Node can limit the heap of a thread only, and the columns of a history
 * are outside of it.
 */
function watchMemory(maxMib: number): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const before = process.memoryUsage.rss();
  const timer = setInterval(() => {
    if (process.memoryUsage.rss() - before > maxMib * 2 ** 20) controller.abort();
  }, WATCH_MS);
  return { signal: controller.signal, stop: () => clearInterval(timer) };
}

/** Results of a check that was ended: what had been judged, with what the supervisor's file tells of the run. */
function outOfBudget(task: CheckTask, { budget, partial }: Ended): Results {
  const builder = new HistoryBuilder();
  const first = task.paths[0];
  // A client's file may be as large as the budget is small.
  if (first !== undefined && task.expectsRun) {
    const file = new HistoryFile(first, builder);
    file.finish();
    file.close();
  }
  const { run } = builder.run;
  const scenario = run && recordedScenario(run.scenario).scenario;
  return judge({
    history: builder.snapshot({ embedded: false }),
    declares: DEFAULT_DECLARES,
    run,
    methods: run?.methods,
    scenario,
    checked: undefined,
    budget,
    partial,
    guarantees: GUARANTEES,
    interrupted: task.interrupted,
    version: VERSION,
    store: scenario?.store ?? 'unknown',
    files: task.paths.length,
    runId: task.runId,
  });
}

/** The budget that the scenario of the run asked for. */
function budgetOf(run: FirstRecord | undefined): Budget {
  return run === undefined ? DEFAULT_BUDGET : recordedScenario(run.record.scenario).scenario.check;
}
