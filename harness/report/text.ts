/** A run's results as a person reads them in a terminal. Pure: results and a style in, text out. */
import { flow, wrap } from '../../src/text/layout.ts';
import { visible } from '../../src/text/visible.ts';
import { checkCommand, commandBeside } from './command.ts';
import { besideLabel, labelled } from './layout.ts';
import { plural } from './numbers.ts';
import type { Results } from './results.ts';
import type { Style } from './style.ts';
import { activity } from './text-activity.ts';
import { guaranteeTable } from './text-guarantees.ts';
import { measured } from './text-numbers.ts';
import { observed } from './text-observations.ts';
import { verdictLines } from './text-verdict.ts';
import { visibleResults } from './visible-results.ts';

/** What the report says beside the results. */
export interface TextOptions {
  readonly style: Style;
  /** The run directory as a person would type it; undefined when there is none. */
  readonly directory: string | undefined;
  /** A shorter way to the same directory, `reports/latest`, for commands to be typed. */
  readonly latest?: string | undefined;
  /** Begin with the line that names the run. Default true; a live run has shown it at its start. */
  readonly headline?: boolean;
  /** How this person starts the command. Default `fencepost`. */
  readonly command?: string;
}

/** The whole report, ending with what to do next and a line end. */
export function renderText(raw: Results, options: TextOptions): string {
  const { style, directory, command = 'fencepost' } = options;
  const typed = options.latest ?? directory;
  const results = visibleResults(raw);
  const { scenario, store, seed, workers } = results;
  const sections = [
    ...((options.headline ?? true)
      ? [headline({ scenario, store, seed, workers: workers.labels }, style)]
      : []),
    activity(results, style),
    verdictLines(results, style, typed === undefined ? undefined : { command, directory: typed }),
    // A run that went wrong itself says nothing about the store, so it shows no table that looks like a result.
    ...(results.verdict !== 'harness-error'
      ? [guaranteeTable(results, style), observed(results.observations, style)]
      : []),
    measured(results, style),
    ending(results, options, typed),
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
export function headline({ scenario, store, workers, seed }: Named, style: Style): string[] {
  // Files of another tool come without a scenario and a store.
  const parts = ['fencepost', visible(scenario), visible(store)].filter((part) => part !== '');
  if (workers > 0) parts.push(plural(workers, 'worker'));
  if (seed !== undefined) parts.push(`seed ${seed}`);
  return flow(parts, style.width, ` ${style.mark.between} `).map(style.strong);
}

/** The last line is what a person does next. */
function ending(results: Results, options: TextOptions, typed: string | undefined): string[] {
  const { style, directory, command = 'fencepost' } = options;
  const width = besideLabel(style.width);
  const run = directory === undefined ? [] : labelled('run', wrap(visible(directory), width));
  const next = nextStep(results, typed, command);
  return [
    ...run,
    ...('type' in next
      ? commandBeside('next', next.type, style)
      : labelled('next', wrap(next.say, width).map(style.strong))),
  ];
}

/** One command to type or one sentence, by verdict. */
export function nextStep(
  results: Results,
  directory: string | undefined,
  command: string,
): { readonly type: string } | { readonly say: string } {
  const check = {
    type: directory === undefined ? `${command} check RUN-DIR` : checkCommand({ command, directory }),
  };
  if (results.interrupted && results.verdict !== 'violated') return { say: 'run again, and let it end' };
  switch (results.verdict) {
    case 'valid':
      return check;
    case 'violated': {
      const key = results.guarantees
        .flatMap((one) => one.violations)
        .find((one) => one.key !== undefined)?.key;
      return key === undefined || directory === undefined
        ? check
        : { type: checkCommand({ command, directory }, key) };
    }
    case 'inconclusive': {
      // A phase that was not reached points to the reason for it, which is another one.
      const fix = (results.reasons.find((one) => one.code !== 'PHASE_NOT_REACHED') ?? results.reasons[0])
        ?.fix;
      return fix === undefined ? check : { say: fix };
    }
    case 'harness-error':
      return {
        say:
          directory === undefined
            ? 'see the errors above'
            : `read ${visible(directory)}/workers.log, then report the bug`,
      };
  }
}
