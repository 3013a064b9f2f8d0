/** The numbers of entries and the feed. Undefined for a run that wrote none. Pure. */
import { FLAG, type History, OP, OUTCOME, REFUSALS } from '../history/history.ts';
import type { BoardNumbers } from '../report/results.ts';
import { oncePerCall } from './calls.ts';
import { Distribution } from './distribution.ts';
import { touches, type Window, within } from './window.ts';

const CONFLICT = REFUSALS.indexOf('conflict');
const NS_PER_MS = 1e6;

/** Counted in main. Each call once, whatever the number of its writes. */
export function boardNumbers(history: History, main: Window): BoardNumbers | undefined {
  const { ops } = history;
  const isFirst = oncePerCall(ops);
  const latency = new Distribution();
  let wrote = false;
  let [commits, conflicts, refused, appends] = [0, 0, 0, 0];
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.commit) continue;
    wrote = true;
    const outcome = ops.outcome[row]!;
    if (outcome > OUTCOME.refused || !within(main, ops.inv[row]!)) continue;
    const accepted = outcome === OUTCOME.accepted;
    if (accepted && (ops.flags[row]! & FLAG.append) !== 0) appends += 1;
    if (!isFirst(row)) continue;
    if (accepted) commits += 1;
    else refused += 1;
    if (ops.code[row] === CONFLICT) conflicts += 1;
    // What a call took while its own process stood still says nothing about the store.
    const stopped = history.incarnations.get(ops.incarnation[row]!)?.stopped ?? [];
    if (accepted && !touches(stopped, ops.inv[row]!, ops.ret[row]!))
      latency.add((ops.ret[row]! - ops.inv[row]!) / NS_PER_MS);
  }
  if (!wrote) return undefined;
  const answers = commits + refused;
  return {
    commits,
    conflicts,
    conflictRate: answers === 0 ? undefined : conflicts / answers,
    appends,
    eventsFollowed: followed(history, main),
    commit: latency.percentiles(),
  };
}

/** Events that reached followers, each as often as one of them was shown it. */
function followed({ feed, ops }: History, main: Window): number {
  let events = 0;
  for (const page of feed) if (within(main, ops.inv[page.row]!)) events += page.events.length;
  return events;
}
