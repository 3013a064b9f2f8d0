/** Judges a saved history: a run directory, its history folder, or single files; in a thread under a time and memory budget. */
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Piscina } from 'piscina';
import { GUARANTEES } from '../checker/guarantee.ts';
import { HistoryBuilder } from '../history/builder.ts';
import { historyFiles } from '../history/directory-reader.ts';
import { HistoryFile } from '../history/file-reader.ts';
import type { Results } from '../report/results.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { UsageError } from '../scenario/usage-error.ts';
import { DEFAULT_DECLARES } from '../store-module/declares.ts';
import { VERSION } from '../version.ts';
import type { CheckOptions } from './api.ts';
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
  const paths = filesOf(typeof path === 'string' ? [path] : path);
  const task: CheckTask = {
    paths,
    interrupted: options.interrupted ?? false,
    item: options.item,
    expectsRun: (typeof path === 'string' ? [path] : path).some(isRunDirectory),
    runId: basename(resolve(typeof path === 'string' ? path : (path[0] ?? '.'))),
  };
  const budget = budgetOf(paths);
  const bytes = paths.reduce((sum, file) => sum + statSync(file).size, 0);
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
  const scenario = run?.scenario as Scenario | undefined;
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

function filesOf(paths: readonly string[]): string[] {
  const found = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) throw noHistory(path, 'there is nothing there');
    if (stat.isFile()) return [path];
    const history = join(path, 'history');
    return historyFiles(existsSync(history) ? history : path);
  });
  // The same file named twice is read once.
  const files = [...new Map(found.map((file) => [realpathSync(file), file])).values()];
  if (files.length === 0) throw noHistory(paths.join(', '), 'it holds no `.ndjson` file');
  return files;
}

/** A folder that a run made: it, or the one above, holds the resolved scenario. */
const isRunDirectory = (path: string): boolean =>
  ['.', '..'].some((at) => existsSync(join(path, at, 'scenario.resolved.yaml'))) &&
  statSync(path).isDirectory();

const noHistory = (path: string, why: string): UsageError =>
  new UsageError({
    code: 'RUN_DIRECTORY',
    message: `Expected a run directory or history files at \`${path}\`, and ${why}.`,
    hint: 'Name a run directory such as `reports/latest`, its `history` folder, or `.ndjson` files.',
  });

/** The budget that the scenario of the run asked for. */
function budgetOf(paths: readonly string[]): Budget {
  const resolved = join(dirname(paths[0] ?? '.'), 'supervisor.ndjson');
  try {
    const first = readFileSync(resolved, 'utf8').split('\n', 1)[0] ?? '';
    return (JSON.parse(first) as { scenario: { check: Budget } }).scenario.check;
  } catch {
    return DEFAULT_BUDGET;
  }
}
