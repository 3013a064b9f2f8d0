/** The judgement of a saved history, in a thread of its own, so that a budget can end it. Everything below is pure. */
import { basename } from 'node:path';
import type { MessagePort } from 'node:worker_threads';
import { judgeHistory } from '../checker/compose.ts';
import { GUARANTEES } from '../checker/guarantee.ts';
import { loadHistory } from '../history/directory-reader.ts';
import type { History } from '../history/history.ts';
import { rawRecords } from '../history/raw-records.ts';
import type { Results } from '../report/results.ts';
import { recordedScenario } from '../scenario/recorded.ts';
import { UsageError, type UsageProblem } from '../scenario/usage-error.ts';
import { VERSION } from '../version.ts';
import { toldThrough } from './check-progress.ts';
import { judge } from './judge.ts';
import { onlyItem } from './only-item.ts';

export interface CheckTask {
  readonly paths: readonly string[];
  readonly interrupted: boolean;
  readonly item: string | undefined;
  /** Stands in for the run's id where there is no run. */
  readonly runId: string;
  /** The files are those of a run directory, which has a supervisor's file. */
  readonly expectsRun: boolean;
  /** Where progress is told. */
  readonly progress?: MessagePort | undefined;
}

/** Errors lose their class on the way out of a thread: what the user got wrong comes back as a value. */
export type CheckAnswer =
  | { readonly results: Results }
  | { readonly problems: readonly [UsageProblem, ...UsageProblem[]] };

export default function check(task: CheckTask): CheckAnswer {
  try {
    return { results: judged(task) };
  } catch (error) {
    if (error instanceof UsageError) return { problems: error.problems };
    throw error;
  }
}

function judged({ paths, interrupted, item, runId, expectsRun, progress }: CheckTask): Results {
  const loaded = loadHistory(paths, undefined, { expectsRun });
  const { declares, methods, run, files } = loaded;
  const recorded = run && recordedScenario(run.scenario);
  const history = withProblems(loaded.history, basename(paths[0] ?? ''), recorded?.problems ?? []);
  const checked = judgeHistory(history, declares, methods, () => rawRecords(paths), {
    progress: progress && toldThrough(progress, history.keys),
  });
  const scenario = recorded?.scenario;
  const results = judge({
    history,
    declares,
    run,
    methods,
    scenario,
    checked,
    guarantees: GUARANTEES,
    interrupted: interrupted || loaded.interrupted,
    version: VERSION,
    store: scenario?.store ?? 'unknown',
    files,
    runId,
  });
  return item === undefined ? results : onlyItem(results, item, history.keys);
}

/** What the supervisor's first line says is wrong with the scenario breaks the history like any other record. */
function withProblems(history: History, file: string, messages: readonly string[]): History {
  if (messages.length === 0) return history;
  const more = messages.map((message) => ({ kind: 'broken', file, line: 1, message }) as const);
  return { ...history, problems: [...history.problems, ...more] };
}
