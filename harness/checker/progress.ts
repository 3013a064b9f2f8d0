/**
 * L3 and L4: a healthy worker gets on. Judged by evidence: the store answered, again and again, and every time with a failure.
 *
 * Formal condition. A stretch is undisturbed where no fault but a kill was on, nothing had hold of the store, and no worker was
 * stopped or did anything to itself. L3 is violated iff `IN_A_ROW` calls of one process, one after another in the order in which they
 * were sent, all of them within one undisturbed stretch of lead-in or main, ended in a failure, definite or not, and between the first
 * and the last of them a call of another process was answered without one. L4 is the same for the last `IN_A_ROW` calls of a process
 * in drain, when all faults are over; there it is enough that the store served another one at any time before.
 *
 *      w1 ├claim┤ fail ├enqueue┤ fail ├claim┤ fail ├claim┤ fail …      nothing is stopped, killed or held up but others by SIGKILL
 *
 * A store that never served anybody is down, and a full disk is the machine's: neither breaks a promise (case A27). Then evidence is
 * missing, or the drain does not end, and the run is inconclusive. A store that is busy now and then, or a machine that is slow, has no such row: answers that do not come are not counted, and
 * with three failures in ten a row of this length is one of 10¹⁰.
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import { covered, unite, type Window } from '../measure/window.ts';
import { isNoRoom } from '../model/no-room.ts';
import { calmOf } from './calm.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { labelOf, seconds } from './words.ts';

/** As many failures of one process, one after another, are no accident. */
export const IN_A_ROW = 20;

/** Judges both. */
export function checkProgress(history: History, limit?: number): readonly [Tally, Tally] {
  const during = tally('L3', limit);
  const after = tally('L4', limit);
  const calm = calmOf(history);
  const stretches = undisturbed(history, calm?.from ?? Number.POSITIVE_INFINITY);
  const answered = answeredBy(history);
  const served = servedOf(history, answered);
  for (const rows of answered.values()) {
    judgeRows(history, during, rows, stretches, served);
    if (calm) judgeTail(history, after, rows, calm, served);
  }
  return [during, after];
}

/** Rows of each worker process, the first of each call, in the order in which they were sent; those that never ended left out. */
function answeredBy({ ops, errors, incarnations }: History): Map<number, number[]> {
  const rows = new Map<number, number[]>();
  const seen = new Map<string, number>();
  for (let row = 0; row < ops.length; row++) {
    const incarnation = ops.incarnation[row]!;
    if (incarnations.get(incarnation)?.role === 'scanner') continue;
    // A verb of a plan stands around the calls that it makes: its failure is theirs, told a second time.
    if (ops.op[row] === OP.plan) continue;
    const error = errors.get(row);
    if ((ops.outcome[row] === OUTCOME.info && !error) || (error && isNoRoom(error))) continue;
    const lane = `${incarnation}.${ops.lane[row]}`;
    const call = ops.call[row]!;
    // The rows of a batch share their call, and those that its answer added stand further on.
    if ((seen.get(lane) ?? -1) >= call) continue;
    seen.set(lane, call);
    const known = rows.get(incarnation);
    if (known) known.push(row);
    else rows.set(incarnation, [row]);
  }
  for (const own of rows.values()) own.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
  return rows;
}

const failed = ({ ops }: History, row: number): boolean => ops.outcome[row]! >= OUTCOME.fail;

/** Calls that were answered without a failure, of all processes, in the order in which they were sent. */
function servedOf(history: History, answered: ReadonlyMap<number, readonly number[]>): readonly number[] {
  const { inv } = history.ops;
  const rows = [...answered.values()].flatMap((own) => own.filter((row) => !failed(history, row)));
  return rows.sort((a, b) => inv[a]! - inv[b]!);
}

/** Whether another process was served between `from` and the last of these calls. */
function otherServed(
  { ops }: History,
  rows: readonly number[],
  served: readonly number[],
  from = ops.inv[rows[0]!]!,
): boolean {
  const to = endOf(ops, rows.at(-1)!);
  let low = 0;
  let high = served.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ops.inv[served[middle]!]! < from) low = middle + 1;
    else high = middle;
  }
  for (let i = low; i < served.length && ops.inv[served[i]!]! <= to; i++) {
    const row = served[i]!;
    if (ops.ret[row]! <= to && ops.incarnation[row] !== ops.incarnation[rows[0]!]) return true;
  }
  return false;
}

/** When the end of a call is known to have come: a failed one may have none of its own. */
const endOf = ({ inv, ret }: History['ops'], row: number): number =>
  Number.isFinite(ret[row]!) ? ret[row]! : inv[row]!;

function judgeRows(
  history: History,
  found: Tally,
  rows: readonly number[],
  stretches: readonly Window[],
  served: readonly number[],
): void {
  const { ops } = history;
  /** The first of the calls that lie in one stretch with this one, and the failures in a row up to it. */
  let from = 0;
  let failures = 0;
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i]!;
    const until = endOf(ops, row);
    if (!covered(stretches, ops.inv[rows[from]!]!, until)) {
      from = covered(stretches, ops.inv[row]!, until) ? i : i + 1;
      failures = 0;
      if (from > i) continue;
    }
    failures = failed(history, row) ? failures + 1 : 0;
    if ((i + 1 - from) % IN_A_ROW === 0) found.opportunities += 1;
    if (failures < IN_A_ROW) continue;
    const accused = rows.slice(i + 1 - IN_A_ROW, i + 1);
    if (!otherServed(history, accused, served)) continue;
    accuseRow(history, found, accused, 'L3');
    failures = 0;
  }
}

function judgeTail(
  history: History,
  found: Tally,
  rows: readonly number[],
  calm: Window,
  served: readonly number[],
): void {
  const { ops } = history;
  const tail = rows.filter((row) => ops.inv[row]! >= calm.from && ops.inv[row]! < calm.to).slice(-IN_A_ROW);
  if (tail.length < IN_A_ROW) return;
  found.opportunities += 1;
  if (
    !tail.every((row) => failed(history, row)) ||
    !otherServed(history, tail, served, Number.NEGATIVE_INFINITY)
  )
    return;
  accuseRow(history, found, tail, 'L4');
}

function accuseRow(history: History, found: Tally, rows: readonly number[], guarantee: 'L3' | 'L4'): void {
  const { ops, errors } = history;
  const first = rows[0]!;
  const last = rows.at(-1)!;
  const at = endOf(ops, last);
  const error = errors.get(last);
  const between = `between ${seconds(history, ops.inv[first]!)} and ${seconds(history, at)}`;
  const rule =
    guarantee === 'L3'
      ? 'while no fault but kills of others is on, a worker must get on'
      : 'when all faults are over, the store must work again for every worker';
  accuse(found, at, () => ({
    guarantee,
    item: -1,
    accused: last,
    rows: [first, last],
    links: [],
    at,
    statement: `all ${rows.length} calls that ${labelOf(history, last)} sent ${between} failed; ${rule}`,
    because: [
      ...(error ? [`the last one said ${error.code}: ${error.message}`] : []),
      'its process was neither stopped nor ended meanwhile, nothing was done to its calls, and the store served others',
    ],
  }));
}

/** Stretches of lead-in and main in which nothing was on that may hold up somebody else. */
function undisturbed({ phases, faults, incarnations, holds, orders }: History, until: number): Window[] {
  const from = phases.find(({ phase }) => phase === 'lead-in' || phase === 'main')?.at;
  const end = phases.find(({ phase }) => phase === 'heal' || phase === 'drain')?.at ?? until;
  if (from === undefined) return [];
  const disturbed: Window[] = [...holds.map(whole)];
  for (const life of incarnations.values()) disturbed.push(...life.stopped.map(whole));
  const byFault = new Map<number, { fault: string; from: number; to: number; open: boolean }>();
  const note = (id: number, fault: string, at: number, closes: boolean): void => {
    const known = byFault.get(id) ?? { fault, from: at, to: at, open: true };
    byFault.set(id, known);
    known.from = Math.min(known.from, at);
    known.to = Math.max(known.to, at);
    if (closes) known.open = false;
  };
  for (const { id, fault, at, stage, outcome } of faults)
    note(id, fault, at, stage === 'healed' || outcome === 'missed');
  for (const { id, fault, at } of orders) note(id, fault, at, false);
  for (const { fault, from: since, to, open } of byFault.values()) {
    if (fault !== 'kill') disturbed.push({ from: since, to: open ? Number.POSITIVE_INFINITY : to });
  }
  return without({ from, to: end }, unite(disturbed.map(wider)));
}

const whole = ({ from, to }: Window): Window => ({ from, to });

/** What ended at an instant may still have been felt by a call that came at it. */
const wider = ({ from, to }: Window): Window => ({ from, to: to + 1 });

/** What is left of a window. */
function without({ from, to }: Window, taken: readonly Window[]): Window[] {
  const left: Window[] = [];
  let next = from;
  for (const one of taken) {
    if (one.from > next) left.push({ from: next, to: Math.min(one.from, to) });
    next = Math.max(next, one.to);
  }
  if (next < to) left.push({ from: next, to });
  return left.filter((one) => one.to > one.from);
}
