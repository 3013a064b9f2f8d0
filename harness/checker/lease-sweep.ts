/**
 * The one walk over all items that decides S1, S2, S3, S4, S4c, S5, S7, S10, S11, S14, S15b and S21 (spec/checking.md 3.5b).
 *
 * Generations are handed out in rising order, so the order of effects on one item is forced up to ties, and no search is
 * needed: `lease-order.ts` and `lease-terminal.ts` judge what no clock is needed for, `lease-late.ts` what came too late
 * for its lease, `lease-placement.ts` what came too early after another's, `lease-refusals.ts` what was refused without need. An operation that one rule accused is left out
 * of the next, so that one fault is told once and nothing follows from it. Items without ordered generations go to
 * `lease-pairwise.ts`.
 */
import type { History } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Tally } from './draft.ts';
import { mayHaveRetired } from './epoch.ts';
import { type LeaseContext, type LeaseGuarantee, leaseContext } from './lease-context.ts';
import { judgeLate } from './lease-late.ts';
import { judgeOrder } from './lease-order.ts';
import { judgePairwise } from './lease-pairwise.ts';
import { judgePlacement } from './lease-placement.ts';
import { judgeOpaqueRefusals, judgeRefusals } from './lease-refusals.ts';
import { groupByLease } from './lease-rows.ts';
import { judgeTerminal, proveByScan } from './lease-terminal.ts';

/** Items that are judged between two signs of progress. */
const PARTITION = 4096;

export interface SweepOptions {
  /** Accusations kept per guarantee. */
  readonly limit?: number | undefined;
  /** Called before each stretch of items, `from` up to `to`, which is left out. */
  readonly partition?: ((from: number, to: number) => void) | undefined;
}

/** Judges every item. */
export function leaseSweep(
  history: History,
  declares: Declares,
  { limit, partition }: SweepOptions = {},
): Readonly<Record<LeaseGuarantee, Tally>> {
  const cx = leaseContext(history, declares, limit);
  const { start, order } = groupByLease(history, cx.guarded);
  const ordered = declares.tokens === 'ascending' && declares.fencing === 'lock';
  for (let item = 0; item < history.keys.length; item++) {
    if (item % PARTITION === 0) partition?.(item, Math.min(item + PARTITION, history.keys.length));
    const from = start[item]!;
    const to = start[item + 1]!;
    if (from === to) continue;
    if (declares.retentionMs !== 'forever' && mayHaveRetired(cx, order, from, to)) continue;
    cx.rows.load(history.ops, order, from, to, item, cx.guarded);
    const all = order.subarray(from, to);
    if (ordered && !cx.rows.unordered) {
      judgeItem(cx, item, order, from, to);
      judgeRefusals(cx, item, all);
    } else {
      judgePairwise(cx, item, order, from, to);
      judgeOpaqueRefusals(cx, item, all);
    }
  }
  joinReleases(cx);
  return cx.tallies;
}

/** S14 and S3 of one story are told together: the third holder's early grant is what a foreign release leads to. */
function joinReleases({ ops, tallies }: LeaseContext): void {
  tallies.S14.drafts = tallies.S14.drafts.map((draft) => {
    const early = tallies.S3.drafts.find(
      ({ item, accused }) => item === draft.item && ops.ret[accused]! > ops.inv[draft.accused]!,
    );
    return early ? { ...draft, consequence: early.accused } : draft;
  });
}

function judgeItem(cx: LeaseContext, item: number, order: Uint32Array, from: number, to: number): void {
  const { rows, declares } = cx;
  if (rows.count === 0) return;
  if (cx.struck.length < rows.count) cx.struck = new Uint8Array(rows.rows.length);
  cx.struck.fill(0, 0, rows.count);
  proveByScan(cx, item);
  judgeOrder(cx, item);
  judgeTerminal(cx, item, order, from, to);
  // Two holders of one generation: whose call a call was cannot be told, so no lease can be placed.
  if (rows.ambiguous) return;
  if (declares.lateCalls === 'refused') judgeLate(cx, item);
  judgePlacement(cx, item);
}
