/** `results.json`, whole or not at all; and results that tell of files that could not be written. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderJson } from '../report/json.ts';
import type { Results } from '../report/results.ts';
import { worst, worstFirst } from './verdict.ts';

/**
 * Writes the results into the run directory. The verdict must reach the terminal also when the disk is full: then the results that
 * are answered say so, and are at best inconclusive, since nobody can judge this run again.
 *
 * `failure`: what kept an earlier file of this run from being written.
 */
export function writeResults(directory: string, results: Results, failure: Error | undefined): Results {
  const told = failure === undefined ? results : withUnwritten(results, failure);
  const file = join(directory, 'results.json');
  const unfinished = `${file}.unfinished`;
  try {
    writeFileSync(unfinished, renderJson(told));
    renameSync(unfinished, file);
    return told;
  } catch (error) {
    rmSync(unfinished, { force: true });
    return failure === undefined ? withUnwritten(results, error) : told;
  }
}

function withUnwritten(results: Results, error: unknown): Results {
  const said = error instanceof Error ? error.message : String(error);
  const reasons = worstFirst([
    {
      verdict: 'inconclusive',
      code: 'FILES_NOT_WRITTEN',
      message: `The files of this run could not be written: ${said}`,
      fix: 'Make room on the disk, or name another folder with `--out`, and run again.',
    },
    ...results.reasons,
  ]);
  return { ...results, reasons, verdict: worst(reasons.map(({ verdict }) => verdict)) };
}
