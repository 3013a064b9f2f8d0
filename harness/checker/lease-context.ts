/** What the lease rules share while they walk the items: the history, the bounds, the tallies, and scratch memory. */
import type { History, Operations, ScanRow } from '../history/history.ts';
import { OP, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { type Bounds, boundsOf } from './bounds.ts';
import { type Tally, tally } from './draft.ts';
import { lastPage, scanIndex } from './evidence.ts';
import { type Guarded, guardedWrites } from './lease-rows.ts';
import { TokenRows } from './token-rows.ts';

/** The guarantees that the walk over the items decides. */
export const LEASE_GUARANTEES = [
  'S1',
  'S2',
  'S3',
  'S4',
  'S4c',
  'S5',
  'S7',
  'S10',
  'S11',
  'S14',
  'S15b',
  'S21',
] as const;
export type LeaseGuarantee = (typeof LEASE_GUARANTEES)[number];

export interface LeaseContext {
  readonly history: History;
  readonly ops: Operations;
  readonly declares: Declares;
  readonly bounds: Bounds;
  readonly tallies: Readonly<Record<LeaseGuarantee, Tally>>;
  readonly rows: TokenRows;
  /** Writes of entries that count as holder calls of an item. */
  readonly guarded: Guarded;
  /** The completion that the final scan shows: it acted, answered or not, by the answer of the scan. -1 where that is open. */
  proven: number;
  /** Rows that an accusation has used up: the timed rules leave them out. Indexed like `rows.rows`. */
  struck: Uint8Array;
  /** Item → index of its row in the final scan, or -1. */
  readonly scanOf: Int32Array;
  /** `inv` of the last answered claim of any item: a finished item that it passed over was an opportunity (S10). */
  readonly lastClaim: number;
  /** Answer time of the last page of the final scan; 0 without one. */
  readonly scanEnd: number;
}

export function leaseContext(history: History, declares: Declares, limit?: number): LeaseContext {
  const page = lastPage(history);
  const tallies = Object.fromEntries(LEASE_GUARANTEES.map((id) => [id, tally(id, limit)]));
  return {
    history,
    ops: history.ops,
    declares,
    bounds: boundsOf(declares),
    tallies: tallies as Record<LeaseGuarantee, Tally>,
    rows: new TokenRows(),
    guarded: guardedWrites(history),
    proven: -1,
    struck: new Uint8Array(64),
    scanOf: scanIndex(history),
    lastClaim: lastAnsweredClaim(history.ops),
    scanEnd: page < 0 ? 0 : history.ops.ret[page]!,
  };
}

/** Whether a call certainly had its effect: it was accepted, or a read showed it. */
export const acted = (cx: LeaseContext, row: number): boolean =>
  cx.ops.outcome[row] === OUTCOME.accepted || row === cx.proven;

/** Answer time of a call; a completion that the scan shows had acted by the answer of the scan. */
export function actedBy(cx: LeaseContext, item: number, row: number): number {
  const ret = cx.ops.ret[row]!;
  return row === cx.proven ? Math.min(ret, cx.ops.ret[shownOf(cx, item)!.row]!) : ret;
}

/** What the final scan shows of an item. */
export function shownOf(cx: LeaseContext, item: number): ScanRow | undefined {
  const index = cx.scanOf[item]!;
  return index < 0 ? undefined : cx.history.scan!.rows.at(index);
}

function lastAnsweredClaim(ops: Operations): number {
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] === OP.claimNext && ops.outcome[row]! <= OUTCOME.refused && ops.inv[row]! > last)
      last = ops.inv[row]!;
  }
  return last;
}
