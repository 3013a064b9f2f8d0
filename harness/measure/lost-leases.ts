/**
 * How leases came to run out, and how long two holders of one item believed in it (S18). Measurements, judged by nobody: a worker that
 * thinks it holds a lease is not a second holder (F3), and one that was starved lost its lease by our own doing (F9). Pure.
 */
import { type History, OUTCOME } from '../history/history.ts';
import type { LostLeases, Percentiles } from '../report/results.ts';
import { Distribution } from './distribution.ts';
import type { Reclaim } from './reclaims.ts';
import { isFinal, type Tenure } from './tenures.ts';
import { touches, type Window } from './window.ts';

const NS_PER_MS = 1e6;

/** By the first cause that applies. */
export function lostLeases(history: History, reclaims: Iterable<Reclaim>): LostLeases {
  const lost = { died: 0, stopped: 0, starved: 0, otherwise: 0 };
  const starved = starvedWindows(history);
  const { ops, incarnations } = history;
  for (const { lapsed, by } of reclaims) {
    const life = incarnations.get(lapsed.incarnation);
    const from = ops.ret[lapsed.grant]!;
    const to = ops.ret[by.grant]!;
    const quarter = (ops.leaseMs[lapsed.grant]! / 4) * NS_PER_MS;
    const lagged = (starved.get(lapsed.incarnation) ?? []).filter(({ lag }) => lag > quarter);
    if ((life?.exitedAt ?? Number.POSITIVE_INFINITY) <= to) lost.died += 1;
    else if (touches(life?.stopped ?? [], from, to)) lost.stopped += 1;
    else if (touches(lagged, from, to)) lost.starved += 1;
    else lost.otherwise += 1;
  }
  return lost;
}

/** Each second of a worker's event loop, with the latest that it ran in it, ns. */
function starvedWindows({ loop, incarnations }: History): Map<number, (Window & { readonly lag: number })[]> {
  const windows = new Map<number, (Window & { readonly lag: number })[]>();
  for (const { incarnation, at, maxMs } of loop) {
    const known = windows.get(incarnation) ?? [];
    windows.set(incarnation, known);
    const from = known.at(-1)?.to ?? incarnations.get(incarnation)?.readyAt ?? at;
    known.push({ from, to: at, lag: maxMs * NS_PER_MS });
  }
  return windows;
}

/** From the grant of the next holder to the last sign that the former one still believed in its lease. */
export function believedByTwo(history: History, tenures: Iterable<Tenure>): Percentiles {
  const { ops } = history;
  const overlaps = new Distribution();
  for (const tenure of tenures) {
    if (tenure.next === undefined) continue;
    const overlap = believedUntil(history, tenure) - ops.ret[tenure.next.grant]!;
    if (overlap > 0) overlaps.add(overlap / NS_PER_MS);
  }
  return overlaps.percentiles();
}

/** A refusal, or the answer to its own last word, ends it; else it lasts to the last call that it sent. */
function believedUntil({ ops }: History, { grant, calls }: Tenure): number {
  let until = ops.ret[grant]!;
  for (const row of calls) {
    const outcome = ops.outcome[row]!;
    if (ops.inv[row]! > until) until = ops.inv[row]!;
    if (outcome === OUTCOME.refused) return until;
    if (outcome === OUTCOME.accepted && isFinal(ops, row)) return until;
  }
  return until;
}
