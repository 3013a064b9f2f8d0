/** What clients did while the store was kept from them: the evidence of O19 for faults on the store. Pure. */
import { type Hold, OP, type Operations, OUTCOME } from '../history/history.ts';
import type { OperationName } from '../history/record.ts';
import { type Window, within } from '../measure/window.ts';
import type { Evidence } from './rule.ts';

const WRITES: readonly OperationName[] = [
  'enqueue',
  'claim',
  'claimNext',
  'heartbeat',
  'complete',
  'nack',
  'release',
  'forceRelease',
  'commit',
];
const IS_WRITE: ReadonlySet<number> = new Set(WRITES.map((name) => OP[name]));

/** What happened to writes that were sent within a window. */
interface Tried {
  sent: number;
  /** Sent and accepted inside: so nobody was kept out. */
  throughInside: number;
  failed: number;
}

/** Windows of main in which nobody's write went through though some were sent: whoever had the lock really had it. */
export function shutWindows(evidence: Evidence, windows: readonly Window[]): number {
  return tried(evidence, windows).filter(({ sent, throughInside }) => sent > 0 && throughInside === 0).length;
}

/** Windows of main in which a write failed. */
export function failingWindows(evidence: Evidence, windows: readonly Window[]): number {
  return tried(evidence, windows).filter(({ failed }) => failed > 0).length;
}

/** Times in which something outside of the workers had hold of the store. */
export const holdsOf = ({ history }: Evidence, fault: string): readonly Hold[] =>
  history.holds.filter((hold) => hold.fault === fault);

/** Times in which a worker was stopped where it had been ordered to stop. */
export function stopsAtCuts({ history }: Evidence, fault: string): readonly Window[] {
  return history.cuts.flatMap((cut) => {
    if (cut.fault !== fault || cut.cut !== 'stop') return [];
    const stop = history.incarnations.get(cut.incarnation)?.stopped.find(({ to }) => to > cut.at);
    return stop ? [stop] : [];
  });
}

function tried({ history, main }: Evidence, windows: readonly Window[]): readonly Tried[] {
  const sorted = windows.filter((window) => within(main, window.from)).sort((a, b) => a.from - b.from);
  const counts = sorted.map((): Tried => ({ sent: 0, throughInside: 0, failed: 0 }));
  const { ops } = history;
  for (let row = 0; row < ops.length; row++) {
    if (!IS_WRITE.has(ops.op[row]!)) continue;
    const index = windowOf(sorted, ops.inv[row]!);
    if (index >= 0) count(counts[index]!, ops, row, sorted[index]!);
  }
  return counts;
}

function count(tried: Tried, ops: Operations, row: number, window: Window): void {
  tried.sent += 1;
  const outcome = ops.outcome[row];
  if (outcome === OUTCOME.accepted && ops.ret[row]! < window.to) tried.throughInside += 1;
  if (outcome === OUTCOME.fail || outcome === OUTCOME.info) tried.failed += 1;
}

/** The window that begins last before the instant, if it lies in it; -1 when it does not. Binary search. */
function windowOf(sorted: readonly Window[], at: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]!.from < at) low = middle + 1;
    else high = middle;
  }
  return low > 0 && at < sorted[low - 1]!.to ? low - 1 : -1;
}
