/** The operations of a witness and what happened to their workers in between, as lines in the order of time. Pure. */
import { pad, widthOf, wrap } from '../../src/text/layout.ts';
import type { Violation, WitnessOperation } from '../checker/finding.ts';
import { instant } from './numbers.ts';
import type { Style } from './style.ts';
import { incarnationOf, spanOf, type Timeline } from './timeline.ts';

/** One moment before it is laid out: when, who did what, in which words, and what came of it. */
interface Moment {
  readonly at: number;
  readonly who: string;
  /** Empty: it happened to a worker. */
  readonly op: string;
  readonly words: string;
  readonly outcome: string;
}

/** What every line leaves room for. */
interface Columns {
  readonly who: number;
  readonly op: number;
  readonly words: number;
}

const GAP = '   ';
/** `12.001 s` */
const TIME = 9;
/** Words are not squeezed into less than this beside their operation. */
const LEAST_BESIDE = 24;
/** Longer words do not push the outcomes of all lines away. */
const WIDEST_WORDS = 40;

/** The lines; `named` gives each process of the witness the name that it has in this story. */
export function happened(
  violation: Violation,
  timeline: Timeline,
  style: Style,
  named: ReadonlyMap<number, string>,
): string[] {
  const [from, to] = spanOf(violation);
  const calls = violation.witness.map(
    (one): Moment => ({
      at: one.inv,
      who: named.get(incarnationOf(one.request)) ?? one.label,
      op: one.op,
      words: one.detail,
      outcome: outcomeOf(one, style),
    }),
  );
  const events = timeline.events
    .filter((event) => event.at >= from && event.at <= to && named.has(event.incarnation))
    .map((event): Moment => {
      const name = named.get(event.incarnation) ?? event.label;
      return { at: event.at, who: '', op: '', words: event.text.replace(event.label, name), outcome: '' };
    });
  const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(widthOf));
  const columns: Columns = {
    who: widest([...named.values()]),
    op: widest(calls.map((one) => one.op)),
    words: Math.min(WIDEST_WORDS, widest(calls.map((one) => one.words))),
  };
  return [...calls, ...events]
    .sort((a, b) => a.at - b.at)
    .flatMap((moment) => linesOf(moment, timeline.zero, columns, style));
}

function linesOf(moment: Moment, zero: number, columns: Columns, style: Style): string[] {
  const { at, who, op, words, outcome } = moment;
  const time = `  ${pad(`${instant((at - zero) / 1e6)} s`, TIME, 'right')}${GAP}${pad(who, columns.who)}`;
  if (op === '')
    return beside(`${time}${GAP}`, words, style).map((line, i) => faintBehind(time, line, i, style));
  const head = `${time}${GAP}${pad(op, columns.op)}${GAP}`;
  const whole = outcome === '' ? head + words : `${head}${pad(words, columns.words)}${GAP}${outcome}`;
  if (widthOf(whole) <= style.width) return [whole.trimEnd()];
  const lines = beside(head, words, style);
  if (outcome === '') return lines;
  const last = lines.at(-1) ?? '';
  return widthOf(last) + GAP.length + widthOf(outcome) <= style.width
    ? [...lines.slice(0, -1), `${last}${GAP}${outcome}`]
    : [...lines, `    ${outcome}`];
}

/** The words beside what stands before them, or below it where there is too little room. */
function beside(head: string, words: string, { width }: Style): string[] {
  const room = width - widthOf(head);
  if (widthOf(words) <= room) return [`${head}${words}`.trimEnd()];
  if (room >= LEAST_BESIDE) {
    return wrap(words, room).map((line, i) => (i === 0 ? head : ' '.repeat(widthOf(head))) + line);
  }
  return [head.trimEnd(), ...wrap(words, width - 4).map((line) => `    ${line}`)];
}

/** What happened to a worker stands back behind what workers did. */
function faintBehind(head: string, line: string, index: number, style: Style): string {
  return index === 0 && line.startsWith(head)
    ? head + style.faint(line.slice(head.length))
    : style.faint(line);
}

function outcomeOf(one: WitnessOperation, style: Style): string {
  if (one.accused) return style.bad(`${style.mark.accused} ${one.outcome.toUpperCase()}`);
  switch (one.outcome) {
    case 'accepted':
      return '';
    case 'refused':
      return 'refused';
    case 'fail':
      return 'failed, no effect';
    case 'info':
      return 'answer unknown';
  }
}
