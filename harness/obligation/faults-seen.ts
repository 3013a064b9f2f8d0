/**
 * O19, faults seen: for each fault that the scenario gives a weight beside kill, pause and twin, that it really did what it is
 * for. (O8 for skew and O13 for crash points stand beside it.)
 *
 * Counted from exits, event loops, calls and their answers, never from what a fault says of itself: a fault that claims
 * success and does nothing leaves its part unmet.
 */
import { type OrderNote, OUTCOME } from '../history/history.ts';
import { oncePerCall } from '../measure/calls.ts';
import { within } from '../measure/window.ts';
import type { FaultName } from '../scenario/scenario.ts';
import { failingWindows, holdsOf, shutWindows, stopsAtCuts } from './fault-windows.ts';
import type { Evidence, ObligationRule } from './rule.ts';

/** Low: whoever gives a fault more weight may ask for more. */
const MIN = 2;
/** A loop record tells of a block soon after it. */
const TOLD_WITHIN_NS = 3e9;
/** Of a block, so much at least shows as lag: timers have a grain. */
const SHARE_SEEN = 0.8;

const seen = (
  fault: FaultName,
  name: string,
  statement: string,
  count: ObligationRule['count'],
): ObligationRule => ({
  id: `O19.${fault}`,
  name,
  statement,
  min: MIN,
  advice: `Give \`faults.${fault}\` more weight, send faults more often (\`faults.every\`), or run longer (\`phases.main.max\`).`,
  asked: ({ faults }) => faults.has(fault),
  count,
});

export const faultsSeen: readonly ObligationRule[] = [
  seen(
    'drain',
    'drained',
    'A worker that was sent SIGTERM in main finished what it had and ended with exit code 0.',
    ({ history, main }) =>
      [...history.incarnations.values()].filter(
        ({ role, exitCode, signals }) =>
          role === 'worker' &&
          exitCode === 0 &&
          signals.some(({ signal, at }) => signal === 'SIGTERM' && within(main, at)),
      ).length,
  ),
  seen(
    'starve',
    'loops blocked',
    'A worker wrote in main that it blocks its event loop, and its own record of the loop then showed a lag of more than a lease.',
    ({ history, main }, { leaseMs }) => {
      const ended = history.orders.filter(({ fault, stage }) => fault === 'starve' && stage === 'end');
      return ended.filter(
        ({ at, incarnation }) =>
          within(main, at) &&
          history.loop.some(
            (lag) =>
              lag.incarnation === incarnation &&
              lag.at >= at &&
              lag.at < at + TOLD_WITHIN_NS &&
              lag.maxMs > SHARE_SEEN * leaseMs,
          ),
      ).length;
    },
  ),
  seen(
    'slow',
    'calls delayed',
    'A call of a worker whose calls are delayed took longer than half of the longest delay.',
    (evidence, { slowMs }) => delayed(evidence, slowMs),
  ),
  seen(
    'lose-reply',
    'answers lost',
    'A call in main acted or not, and its answer was lost: its outcome is unknown.',
    ({ history: { ops, errors }, main }) => {
      const isFirst = oncePerCall(ops);
      let lost = 0;
      for (const [row, { code }] of errors)
        if (code === 'REPLY_LOST' && within(main, ops.inv[row]!) && isFirst(row)) lost += 1;
      return lost;
    },
  ),
  seen(
    'hog',
    'lock hogged',
    'While a process had the write lock in main, writes were sent and none went through.',
    (evidence) => shutWindows(evidence, holdsOf(evidence, 'hog')),
  ),
  seen(
    'stall',
    'stalled inside',
    'While a worker was stopped inside its transaction in main, writes were sent and none went through.',
    (evidence) => shutWindows(evidence, stopsAtCuts(evidence, 'stall')),
  ),
  seen('disk-full', 'disk full', 'While the file system was full in main, a write failed.', (evidence) =>
    failingWindows(evidence, holdsOf(evidence, 'disk-full')),
  ),
];

/** Answered calls of workers, sent while their calls were delayed, that took that long. */
function delayed({ history, main }: Evidence, ms: number): number {
  const { ops, orders } = history;
  const spans = new Map<number, { from: number; to: number }[]>();
  for (const note of orders) if (note.fault === 'slow' && within(main, note.at)) addTo(spans, note);
  const isFirst = oncePerCall(ops);
  let late = 0;
  for (let row = 0; row < ops.length; row++) {
    if (ops.outcome[row]! > OUTCOME.refused || ops.ret[row]! - ops.inv[row]! < ms * 1e6) continue;
    const at = ops.inv[row]!;
    if (spans.get(ops.incarnation[row]!)?.some(({ from, to }) => at > from && at < to) && isFirst(row))
      late += 1;
  }
  return late;
}

function addTo(spans: Map<number, { from: number; to: number }[]>, note: OrderNote): void {
  const own = spans.get(note.incarnation) ?? [];
  spans.set(note.incarnation, own);
  if (note.stage === 'begin') own.push({ from: note.at, to: Number.POSITIVE_INFINITY });
  else if (own.length > 0) own.at(-1)!.to = note.at;
}
