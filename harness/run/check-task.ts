/** The judgement of a saved history, in a thread of its own, so that a budget can end it. Everything below is pure. */
import { judgeHistory } from '../checker/compose.ts';
import { GUARANTEES } from '../checker/guarantee.ts';
import { loadHistory } from '../history/directory-reader.ts';
import { rawRecords } from '../history/raw-records.ts';
import type { Results } from '../report/results.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { VERSION } from '../version.ts';
import { judge } from './judge.ts';
import { onlyItem } from './only-item.ts';

export interface CheckTask {
  readonly paths: readonly string[];
  readonly interrupted: boolean;
  readonly item: string | undefined;
  /** Stands in for the run's id where there is no run. */
  readonly runId: string;
}

export default function check({ paths, interrupted, item, runId }: CheckTask): Results {
  const loaded = loadHistory(paths);
  const { history, declares, methods, run, files } = loaded;
  const checked = judgeHistory(history, declares, methods, () => rawRecords(paths));
  const scenario = run?.scenario as Scenario | undefined;
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
