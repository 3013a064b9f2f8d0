/** Judges a saved history: a run directory, its history folder, or single files; in a thread under a time and memory budget. */
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
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
import type { CheckAnswer, CheckTask } from './check-task.ts';
import { judge } from './judge.ts';

/** For a history whose scenario is not known. */
const DEFAULT_BUDGET: Budget = { maxMs: 60_000, maxMemoryMib: 2048 };
/** Memory for each byte of history, at most: measured 0.7 for columns, keys and scan rows together. */
const MEMORY_PER_BYTE = 1.5;

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
    return outOfBudget(
      task,
      `the history needs about ${needMib} MiB, and the check may use ${budget.maxMemoryMib} MiB`,
    );
  }
  return inThread(task, budget, options.signal);
}

async function inThread(task: CheckTask, budget: Budget, signal: AbortSignal | undefined): Promise<Results> {
  const pool = new Piscina<CheckTask, CheckAnswer>({
    filename: fileURLToPath(new URL('./check-task.js', import.meta.url)),
    minThreads: 1,
    maxThreads: 1,
    resourceLimits: { maxOldGenerationSizeMb: budget.maxMemoryMib },
  });
  const limit = AbortSignal.timeout(budget.maxMs);
  try {
    const answer = await pool.run(task, { signal: signal ? AbortSignal.any([limit, signal]) : limit });
    if ('problems' in answer) throw new UsageError(answer.problems);
    return answer.results;
  } catch (error) {
    if (limit.aborted) return outOfBudget(task, `the check took longer than ${budget.maxMs / 1000} s`);
    const { code } = error as { code?: string };
    if (code === 'ERR_WORKER_OUT_OF_MEMORY') {
      return outOfBudget(task, `the check needed more than ${budget.maxMemoryMib} MiB`);
    }
    throw error;
  } finally {
    await pool.destroy();
  }
}

/** Results that say that nothing was judged, with what the supervisor's file tells of the run. */
function outOfBudget(task: CheckTask, budget: string): Results {
  const builder = new HistoryBuilder();
  const first = task.paths[0];
  if (first !== undefined) {
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
