/** A run's results as a person reads them in a terminal. Pure: results and a style in, text out. */

import { besideLabel, labelled, wrap } from './layout.ts';
import { plural } from './numbers.ts';
import type { Results } from './results.ts';
import type { Style } from './style.ts';
import { activity } from './text-activity.ts';
import { guaranteeTable } from './text-guarantees.ts';
import { measured } from './text-numbers.ts';
import { verdictLines } from './text-verdict.ts';

/** What the report says beside the results. */
export interface TextOptions {
  readonly style: Style;
  /** The run directory as a person would type it; undefined when there is none. */
  readonly directory: string | undefined;
  /** A shorter way to the same directory, `reports/latest`, for commands to be typed. */
  readonly latest?: string | undefined;
  /** Begin with the line that names the run. Default true; a live run has shown it at its start. */
  readonly headline?: boolean;
}

/** The whole report, ending with what to do next and a line end. */
export function renderText(results: Results, options: TextOptions): string {
  const { style, directory } = options;
  const typed = options.latest ?? directory;
  const { scenario, store, seed, workers } = results;
  const sections = [
    ...((options.headline ?? true)
      ? [[headline({ scenario, store, seed, workers: workers.labels }, style)]]
      : []),
    activity(results, style),
    verdictLines(results, style, typed),
    // A run that went wrong itself says nothing about the store, so it shows no table that looks like a result.
    ...(results.verdict !== 'harness-error' ? [guaranteeTable(results, style)] : []),
    measured(results, style),
    ending(results, style, directory, typed),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** What a run is, before and after it. */
export interface Named {
  readonly scenario: string;
  readonly store: string;
  readonly workers: number;
  readonly seed: number | undefined;
}

/** `fencepost · kill-mid-lease · sqlite · 4 workers · seed 81237`. */
export function headline({ scenario, store, workers, seed }: Named, style: Style): string {
  // Files of another tool come without a scenario and a store.
  const parts = ['fencepost', scenario, store].filter((part) => part !== '');
  if (workers > 0) parts.push(plural(workers, 'worker'));
  if (seed !== undefined) parts.push(`seed ${seed}`);
  return style.strong(parts.join(` ${style.mark.between} `));
}

/** The last line is what a person does next. */
function ending(
  results: Results,
  style: Style,
  directory: string | undefined,
  typed: string | undefined,
): string[] {
  const lines = wrapUnlessCommand(nextStep(results, typed), besideLabel(style.width));
  const run = directory === undefined ? [] : labelled('run', [directory]);
  return [...run, ...labelled('next', lines.map(style.strong))];
}

/** One command or one sentence, by verdict. */
export function nextStep(results: Results, directory: string | undefined): string {
  const check = directory === undefined ? 'fencepost check RUN-DIR' : `fencepost check ${directory}`;
  if (results.interrupted && results.verdict !== 'violated') return 'run again, and let it end';
  switch (results.verdict) {
    case 'valid':
      return check;
    case 'violated': {
      const key = results.guarantees
        .flatMap((one) => one.violations)
        .find((one) => one.key !== undefined)?.key;
      return key === undefined ? check : `${check} --item ${quote(key)}`;
    }
    case 'inconclusive':
      return results.reasons[0]?.fix ?? check;
    case 'harness-error':
      return directory === undefined
        ? 'see the errors above'
        : `read ${directory}/workers.log, then report the bug`;
  }
}

/** A command stays on one line: it is to be copied. */
function wrapUnlessCommand(text: string, width: number): string[] {
  return text.startsWith('fencepost ') ? [text] : wrap(text, width);
}

function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
