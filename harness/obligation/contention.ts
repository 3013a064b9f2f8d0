/**
 * O5, contended claims: claims of different processes were under way at the same time, while there was no more to claim
 * than there were lanes to claim it.
 *
 * Counted per claim: at the moment it is sent, a claim of another process is in flight and the open pool is small but
 * not certainly empty. A claim is not in flight while its process is stopped: a frozen caller contends with nobody.
 */
import type { History } from '../history/history.ts';
import { oncePerCall } from '../measure/calls.ts';
import { isClaim, isDefinite } from '../measure/tenures.ts';
import { within } from '../measure/window.ts';
import { openPool } from './open-pool.ts';
import { claims, type Evidence, type ObligationRule } from './rule.ts';

interface Flight {
  readonly row: number;
  readonly until: number;
}

export const contention: ObligationRule = {
  id: 'O5',
  name: 'contended claims',
  statement:
    'A claim was sent in main while a claim of another process was in flight and no more items were open than there are lanes.',
  min: 50,
  advice:
    'Use more workers or lanes (`workers`, `lanes`) or shorter tasks (`workload.task`), so that more claims meet.',
  asked: claims,
  count: (evidence, context) => {
    const onDemand = context.declares.items === 'on-demand';
    const claims = claimsByInvoke(evidence);
    const pool = onDemand ? undefined : openPool(evidence, context.declares);
    const { ops } = evidence.history;
    let flying: Flight[] = [];
    let seen = 0;
    for (const row of claims) {
      const at = ops.inv[row]!;
      if (flying.some(({ until }) => until <= at)) flying = flying.filter(({ until }) => until > at);
      // Where items are made by claiming them there is no pool: then both must be after the same item.
      const meets = flying.some(
        (other) =>
          ops.incarnation[other.row] !== ops.incarnation[row] &&
          (!onDemand || ops.item[other.row] === ops.item[row]),
      );
      if (meets && isSmall(pool, at, context.lanes)) seen += 1;
      flying.push({ row, until: inFlightUntil(evidence.history, row) });
    }
    return seen;
  },
};

function isSmall(pool: ((instant: number) => number) | undefined, at: number, lanes: number): boolean {
  if (!pool) return true;
  const open = pool(at);
  return open >= 1 && open <= lanes;
}

/** Answered claims of main in the order they were sent, each call once. */
function claimsByInvoke(evidence: Evidence): number[] {
  const { ops } = evidence.history;
  const isFirst = oncePerCall(ops);
  const rows: number[] = [];
  for (let row = 0; row < ops.length; row++) {
    if (!isClaim(ops, row) || !isDefinite(ops, row) || !within(evidence.main, ops.inv[row]!)) continue;
    if (isFirst(row)) rows.push(row);
  }
  return rows.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
}

function inFlightUntil(history: History, row: number): number {
  const { ops } = history;
  let until = ops.ret[row]!;
  for (const stop of history.incarnations.get(ops.incarnation[row]!)?.stopped ?? []) {
    if (stop.to > ops.inv[row]!) until = Math.min(until, Math.max(stop.from, ops.inv[row]!));
  }
  return until;
}
