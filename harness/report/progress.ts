/** A live run in a few lines: a block for a terminal, one line for a log. Pure. */

import { cut, flow, pad, widthOf } from '../../src/text/layout.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import type { Progress, WorkerLight } from '../run/api.ts';
import { count, seconds } from './numbers.ts';
import type { Style } from './style.ts';

const METER = 5;
/** Room for the numbers of a meter; fixed, so that nothing moves while they grow. */
const NUMBERS = 8;
/** A label and what stands before what is said beside it. */
const INDENT = 13;
/** The longest bar of a phase. */
const BAR = 20;

/** The block that is redrawn on a terminal, no line wider than the style. */
export function progressBlock(progress: Progress, style: Style): string[] {
  const beside = style.width - INDENT;
  const label = (text: string, parts: readonly string[]): string[] =>
    flow(parts, beside, '   ').map((line, i) => `  ${style.faint(pad(i === 0 ? text : '', 10))} ${line}`);
  const counts = [
    `ops ${count(progress.ops)}`,
    `claims ${count(progress.claims)}`,
    `completes ${count(progress.completes)}`,
    `reclaims ${count(progress.reclaims)}`,
    ...(progress.commits > 0 ? [`commits ${count(progress.commits)}`] : []),
  ];
  const workers = `${style.faint('workers')} ${lights(progress.workers, style, beside - 'workers '.length)}`;
  return [
    '',
    `  ${style.strong(pad(progress.phase, 10))} ${clock(progress, beside, style)}`,
    ...label('calls', counts),
    ...label('faults', [...faultCounts(progress), workers]),
    ...meters(progress.obligations, style),
    '',
  ];
}

/** How far the phase is: a bar where there is room for one, and the time. */
function clock({ phaseMs, limitMs }: Progress, width: number, style: Style): string {
  const long = `${seconds(phaseMs)} of at most ${seconds(limitMs)}`;
  const text = widthOf(long) <= width ? long : `${seconds(phaseMs)}/${seconds(limitMs)}`;
  const room = Math.min(BAR, width - widthOf(text) - 1);
  if (room < METER) return text;
  return `${bar(Math.min(1, phaseMs / Math.max(1, limitMs)), room, style)} ${text}`;
}

/** The line that goes to a log every few seconds; two, where a line is too short for it. */
export function progressLine(progress: Progress, style: Style): string {
  const asked = progress.obligations.filter((one) => one.notTested === undefined);
  const parts = [
    `${progress.phase} ${seconds(progress.phaseMs)}/${seconds(progress.limitMs)}`,
    `ops ${count(progress.ops)}`,
    `completes ${count(progress.completes)}`,
    ...(progress.commits > 0 ? [`commits ${count(progress.commits)}`] : []),
    `faults ${count(Object.values(progress.faults).reduce((sum, one) => sum + one, 0))}`,
    ...(asked.length > 0 ? [`evidence ${asked.filter((one) => one.met).length}/${asked.length}`] : []),
  ];
  return flow(parts, style.width - 2, ` ${style.mark.between} `)
    .map((line, index) => (index === 0 ? line : `  ${line}`))
    .join('\n');
}

function faultCounts(progress: Progress): string[] {
  const parts = Object.entries(progress.faults).map(([name, times]) => `${name} ${count(times)}`);
  return parts.length === 0 ? ['none yet'] : parts;
}

function lights(workers: readonly WorkerLight[], style: Style, width: number): string {
  const dress = { up: style.good, stopped: style.doubt, starting: style.faint, down: style.bad } as const;
  const [first = '', ...rest] = flow(
    workers.map((worker) => dress[worker.state](style.mark[worker.state])),
    Math.min(32, width - style.mark.more.length - 1),
    ' ',
  );
  return rest.length === 0 ? first : `${first} ${style.mark.more}`;
}

/** Two obligations a line where they fit, in their own order, so that nothing jumps while it is watched. */
function meters(obligations: readonly ObligationResult[], style: Style): string[] {
  const asked = obligations.filter((one) => one.notTested === undefined);
  const room = style.width - 2 - METER - NUMBERS - 2;
  const names = Math.min(room, Math.max(0, ...asked.map((one) => widthOf(one.name))));
  const column = names + METER + NUMBERS + 2;
  const perLine = column * 2 + 4 <= style.width ? 2 : 1;
  const cells = asked.map((one) => pad(meter(one, names, style), column));
  const lines: string[] = [];
  for (let index = 0; index < cells.length; index += perLine) {
    lines.push(`  ${cells.slice(index, index + perLine).join('  ')}`.trimEnd());
  }
  return lines.length === 0 ? [] : ['', ...lines];
}

/** While it is missing: how far it is. Once it is met: a tick, and how often it was seen. */
function meter(one: ObligationResult, names: number, style: Style): string {
  const share = one.min === 0 ? 1 : Math.min(1, one.seen / one.min);
  const numbers = one.met
    ? `${style.good(style.mark.ok)} ${count(one.seen)}`
    : `${count(one.seen)}/${count(one.min)}`;
  return `${pad(cut(one.name, names, style.mark.more), names)} ${bar(share, METER, style)} ${numbers}`;
}

function bar(share: number, width: number, style: Style): string {
  const full = Math.floor(share * width);
  return style.mark.full.repeat(full) + style.faint(style.mark.empty.repeat(width - full));
}
