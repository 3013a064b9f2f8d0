/** A live run in a few lines: a block for a terminal, one line for a log. Pure. */
import type { ObligationResult } from '../obligation/obligation.ts';
import type { Progress, WorkerLight } from '../run/api.ts';
import { flow, pad, widthOf } from './layout.ts';
import { count, seconds } from './numbers.ts';
import type { Style } from './style.ts';

const METER = 5;
/** Room for the numbers of a meter; fixed, so that nothing moves while they grow. */
const NUMBERS = 8;

/** The block that is redrawn on a terminal, no line wider than the style. */
export function progressBlock(progress: Progress, style: Style): string[] {
  const label = (text: string) => `  ${style.faint(pad(text, 10))} `;
  const share = Math.min(1, progress.phaseMs / Math.max(1, progress.limitMs));
  const clock = `${bar(share, 20, style)} ${seconds(progress.phaseMs)} of at most ${seconds(progress.limitMs)}`;
  const counts = [
    `ops ${count(progress.ops)}`,
    `claims ${count(progress.claims)}`,
    `completes ${count(progress.completes)}`,
    `reclaims ${count(progress.reclaims)}`,
    ...(progress.commits > 0 ? [`commits ${count(progress.commits)}`] : []),
  ];
  return [
    '',
    `  ${style.strong(pad(progress.phase, 10))} ${clock}`,
    `${label('calls')}${counts.join('   ')}`,
    `${label('faults')}${faultCounts(progress)}   ${style.faint('workers')} ${lights(progress.workers, style)}`,
    ...meters(progress.obligations, style),
    '',
  ];
}

/** The line that goes to a log every few seconds. */
export function progressLine(progress: Progress, style: Style): string {
  const asked = progress.obligations.filter((one) => one.notTested === undefined);
  const up = progress.workers.filter((worker) => worker.state === 'up').length;
  return [
    `${progress.phase} ${seconds(progress.phaseMs)}/${seconds(progress.limitMs)}`,
    `ops ${count(progress.ops)}`,
    `completes ${count(progress.completes)}`,
    `reclaims ${count(progress.reclaims)}`,
    ...(progress.commits > 0 ? [`commits ${count(progress.commits)}`] : []),
    `faults ${count(Object.values(progress.faults).reduce((sum, one) => sum + one, 0))}`,
    `evidence ${asked.filter((one) => one.met).length}/${asked.length}`,
    `workers ${up}/${progress.workers.length} up`,
  ].join(` ${style.mark.between} `);
}

function faultCounts(progress: Progress): string {
  const parts = Object.entries(progress.faults).map(([name, times]) => `${name} ${count(times)}`);
  return parts.length === 0 ? 'none yet' : parts.join('   ');
}

function lights(workers: readonly WorkerLight[], style: Style): string {
  const dress = { up: style.good, stopped: style.doubt, starting: style.faint, down: style.bad } as const;
  const [first = '', ...rest] = flow(
    workers.map((worker) => dress[worker.state](style.mark[worker.state])),
    32,
    ' ',
  );
  return rest.length === 0 ? first : `${first} ${style.mark.more}`;
}

/** Two obligations a line where they fit, in their own order, so that nothing jumps while it is watched. */
function meters(obligations: readonly ObligationResult[], style: Style): string[] {
  const asked = obligations.filter((one) => one.notTested === undefined);
  const names = Math.max(0, ...asked.map((one) => widthOf(one.name)));
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
  return `${pad(one.name, names)} ${bar(share, METER, style)} ${numbers}`;
}

function bar(share: number, width: number, style: Style): string {
  const full = Math.floor(share * width);
  return style.mark.full.repeat(full) + style.faint(style.mark.empty.repeat(width - full));
}
