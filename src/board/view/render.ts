/** A selection as fenced text that is no longer than it may be. Pure. */
import type { Entry } from '../../store.ts';
import { encodeInstant, encodeName, encodeValue } from './encode.ts';
import { fenced } from './fence.ts';
import type { ViewPlan } from './options.ts';
import type { Selection } from './select.ts';

/** A rendered view. */
export interface Rendered {
  readonly text: string;
  /** Entries that it shows. */
  readonly shown: number;
}

/**
 * Renders. Pinned entries all stay. Of the others, newest first, the first that does not fit is left out with all that
 * are older. Nothing to show gives the empty text.
 */
export function render(selection: Selection, plan: ViewPlan): Rendered {
  const { pinned, recent, older, exact } = selection;
  if (pinned.length + recent.length + older === 0) return { text: '', shown: 0 };
  const fixed = pinned.map(lineOf);
  const lines = recent.slice(0, plan.linesMax).map(lineOf);
  const all = recent.length + older;
  const frame = (kept: number): string => {
    const left = all - kept;
    const notice = left === 0 ? [] : [noticeOf(left, exact)];
    return fenced([...fixed, ...lines.slice(0, kept), ...notice]);
  };
  // Costs of lines add up nearly, in tokens at least; the whole text has the last word.
  let kept = firstGuess(lines, plan, plan.cost(frame(0)));
  while (kept < lines.length && plan.cost(frame(kept + 1)) <= plan.limit) kept += 1;
  if (kept < lines.length && lines.length === all && plan.cost(frame(all)) <= plan.limit) kept = all;
  while (kept > 0 && plan.cost(frame(kept)) > plan.limit) kept -= 1;
  return { text: frame(kept), shown: fixed.length + kept };
}

/** Lines that fit beside the frame when each is counted by itself. */
function firstGuess(lines: readonly string[], plan: ViewPlan, used: number): number {
  let total = used;
  const over = lines.findIndex((line) => {
    total += plan.cost(`${line}\n`);
    return total > plan.limit;
  });
  return over < 0 ? lines.length : over;
}

/** An entry on one line, harmless. */
export function lineOf({ createdAtMs, key, author, value }: Entry): string {
  return `${encodeInstant(createdAtMs)} ${encodeName(key)} ${encodeName(author)} ${encodeValue(value)}`;
}

function noticeOf(left: number, exact: boolean): string {
  return `(${exact ? '' : 'at most '}${left} older ${left === 1 ? 'entry' : 'entries'} not shown)`;
}
