/**
 * S11 (and S10 for renewals): a heartbeat, complete, nack or fenced write is accepted only while its lease stands. Judged where the
 * store declares `lateCalls: refused`.
 *
 * Formal condition. Every accepted call x of generation t acts while the lease stands, so
 *   e(x) <= e(s) + L*(1+rho) + sigma + grain   for the setter s (grant or heartbeat, accepted or unknown) before x,
 * and before the accepted call that ended the lease. Violated iff no placement meets this. The latest reach of a lease is
 * found by taking, of the setters that can still act in time, the one with the earliest answer first: each sets the lease
 * as late as it can. The instants that a setter can take form an interval, so this is exact for leases of one length;
 * for mixed lengths the longest is used, which is sound (spec/checking.md 3.5b, "late calls").
 *
 *      w1 ├claim 4, lease L┤                                        ├─complete 4─┤ accepted
 *                          └──── L ────┘ over at the latest here
 *
 *      pairwise rules miss:  claim [0,5]  heartbeat [6,18]  heartbeat [28,28], L = 10: the first renewal acts by 15, so
 *      the lease is over by 25.
 *
 * Decided, and judged by nobody: a release after the end of the lease, after the holder's own nack, release or complete.
 * It can only free what is free already. So a release may always be the last of its generation's calls.
 * Under `allowed-if-not-superseded` nothing here applies: a holder that was not superseded may call late, also after its
 * own release or nack.
 */
import { OP, OUTCOME } from '../history/history.ts';
import { accuse, type Link } from './draft.ts';
import { acted, actedBy, type LeaseContext } from './lease-context.ts';
import { grants } from './token-rows.ts';

/** More setters than this in one lease, out of order, are not searched: the lease then counts as endless, which is sound. */
const SEARCH_LIMIT = 256;

/** Judges S11 on every generation of the item that `cx.rows` holds, and strikes the calls that were accepted late. */
export function judgeLate(cx: LeaseContext, item: number): void {
  for (let g = 0; g < cx.rows.groups; g++) {
    ownEnd(cx, item, g);
    reach(cx, item, g);
  }
}

/** Calls that were accepted after, or beside, the accepted call that ended the same generation's lease. */
function ownEnd(cx: LeaseContext, item: number, g: number): void {
  const { ops, rows, struck } = cx;
  const { S10, S11 } = cx.tallies;
  let ended = -1;
  let finished = -1;
  let nacked = -1;
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    if (struck[i] === 1 || !acted(cx, row)) continue;
    const op = ops.op[row];
    if (op === OP.complete) finished = row;
    if ((op === OP.nack || op === OP.release) && (ended < 0 || ops.ret[row]! < ops.ret[ended]!)) ended = row;
    if (op === OP.nack && (nacked < 0 || ops.ret[row]! < ops.ret[nacked]!)) nacked = row;
  }
  if (ended < 0 && finished < 0) return;
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    const op = ops.op[row]!;
    if (struck[i] === 1 || !acted(cx, row) || op === OP.release || grants(op)) continue;
    const after = (other: number): boolean =>
      other >= 0 && other !== row && actedBy(cx, item, other) < ops.inv[row]!;
    const at = actedBy(cx, item, row);
    if (after(finished) && op !== OP.commit) {
      struck[i] = 1;
      accuse(S10, at, () => ({ guarantee: 'S10', item, accused: row, rows: [finished, row], links: [], at }));
    } else if (after(ended) || (after(finished) && op === OP.commit)) {
      struck[i] = 1;
      const over = after(ended) ? ended : finished;
      accuse(S11, at, () => ({ guarantee: 'S11', item, accused: row, rows: [over, row], links: [], at }));
    } else if ((op === OP.complete || op === OP.nack) && nacked >= 0 && nacked !== row) {
      // Two calls that each end the lease: whichever came second found none, in either order.
      struck[i] = 1;
      const both = Math.max(at, ops.ret[nacked]!);
      accuse(S11, both, () => ({
        guarantee: 'S11',
        item,
        accused: row,
        rows: [nacked, row],
        links: [],
        at: both,
      }));
    }
  }
}

/** Scratch of `latest`. */
interface Reach {
  /** The latest instant at which the lease may still stand. */
  until: number;
  /** The setter that makes it so, and when it acted for that. */
  by: number;
  from: number;
}

/** Calls that were accepted when the lease was over at the latest. */
function reach(cx: LeaseContext, item: number, g: number): void {
  const { ops, rows, struck } = cx;
  const { S11 } = cx.tallies;
  const grant = rows.grant[g]!;
  if (grant < 0 || !anyLate(cx, g, ops.inv[grant]! + cx.bounds.atMost(ops.leaseMs[grant]!))) return;
  const longest = longestLease(cx, g);
  if (Number.isNaN(longest)) return;
  const last = latest(cx, g, longest);
  const next = g + 1 < rows.groups ? rows.grant[g + 1]! : -1;
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    const op = ops.op[row]!;
    if (op === OP.release || grants(op) || !(last.until < ops.inv[row]!)) continue;
    const superseded = g + 1 < rows.groups && (next < 0 || ops.inv[next]! <= ops.ret[row]!);
    if (ops.outcome[row]! <= OUTCOME.refused && !superseded) S11.opportunities += 1;
    if (struck[i] === 1 || !acted(cx, row)) continue;
    struck[i] = 1;
    const at = Number.isFinite(ops.ret[row]!) ? ops.ret[row]! : ops.inv[row]!;
    accuse(S11, at, () => {
      const trace = new Map<number, Reach>();
      struck[i] = 0; // as it was when `last` was found; an accused heartbeat was out of reach anyway
      latest(cx, g, longest, trace);
      struck[i] = 1;
      const links = chain(cx, trace, last, row);
      return { guarantee: 'S11', item, accused: row, rows: witness(links, row), links, at };
    });
  }
}

/** The quick answer for most leases: no call was sent after the end of a lease that nobody renewed. */
function anyLate(cx: LeaseContext, g: number, until: number): boolean {
  const { ops, rows } = cx;
  for (let i = rows.from[g + 1]! - 1; i > rows.from[g]!; i--)
    if (!(ops.inv[rows.rows[i]!]! <= until)) return true;
  return false;
}

function longestLease(cx: LeaseContext, g: number): number {
  const { ops, rows, bounds } = cx;
  const own = bounds.atMost(ops.leaseMs[rows.grant[g]!]!);
  let longest = own;
  for (let i = rows.from[g]! + 1; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    if (ops.op[row] !== OP.heartbeat || ops.outcome[row] === OUTCOME.refused) continue;
    const lease = bounds.atMost(ops.leaseMs[row]!);
    if (lease > longest) longest = lease;
  }
  return longest;
}

/** Sets the lease as late as can be. With `trace`, notes what bounded the setters that their own answer did not bound. */
function latest(cx: LeaseContext, g: number, longest: number, trace?: Map<number, Reach>): Reach {
  const { ops, rows } = cx;
  const grant = rows.grant[g]!;
  const set = grantedBy(cx, g);
  const state: Reach = { until: set + longest, by: grant, from: set };
  let setters = 0;
  let inOrder = true;
  let before = Number.NEGATIVE_INFINITY;
  for (let i = rows.from[g]! + 1; i < rows.from[g + 1]!; i++) {
    if (!sets(cx, i)) continue;
    setters += 1;
    const ret = ops.ret[rows.rows[i]!]!;
    if (ret < before) inOrder = false;
    before = ret;
  }
  if (!inOrder)
    return setters > SEARCH_LIMIT
      ? { ...state, until: Number.POSITIVE_INFINITY }
      : search(cx, g, longest, state, trace);
  for (let i = rows.from[g]! + 1; i < rows.from[g + 1]!; i++) {
    if (!sets(cx, i)) continue;
    if (!(ops.inv[rows.rows[i]!]! <= state.until)) break;
    extend(cx, state, rows.rows[i]!, longest, trace);
  }
  return state;
}

/** The latest instant of a grant: its own answer, or that of a call under it that was accepted before. */
function grantedBy(cx: LeaseContext, g: number): number {
  const { ops, rows, struck } = cx;
  let by = ops.ret[rows.grant[g]!]!;
  for (let i = rows.from[g]! + 1; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    if (ops.ret[row]! < by && struck[i] === 0 && acted(cx, row)) by = ops.ret[row]!;
  }
  return by;
}

/** `latest` for setters whose answers came in another order than their calls: of those in reach, the earliest answer first. */
function search(
  cx: LeaseContext,
  g: number,
  longest: number,
  state: Reach,
  trace?: Map<number, Reach>,
): Reach {
  const { ops, rows } = cx;
  const pending: number[] = [];
  for (let i = rows.from[g]! + 1; i < rows.from[g + 1]!; i++) if (sets(cx, i)) pending.push(rows.rows[i]!);
  while (pending.length > 0 && ops.inv[pending[0]!]! <= state.until) {
    let pick = 0;
    for (let i = 1; i < pending.length && ops.inv[pending[i]!]! <= state.until; i++) {
      if (ops.ret[pending[i]!]! < ops.ret[pending[pick]!]!) pick = i;
    }
    extend(cx, state, pending.splice(pick, 1)[0]!, longest, trace);
  }
  return state;
}

function sets(cx: LeaseContext, i: number): boolean {
  const { ops, rows, struck } = cx;
  const row = rows.rows[i]!;
  return ops.op[row] === OP.heartbeat && ops.outcome[row] !== OUTCOME.refused && struck[i] === 0;
}

function extend(
  cx: LeaseContext,
  state: Reach,
  row: number,
  longest: number,
  trace?: Map<number, Reach>,
): void {
  const ret = cx.ops.ret[row]!;
  if (ret > state.until) trace?.set(row, { ...state });
  const from = Math.min(ret, state.until);
  if (from + longest > state.until) {
    state.until = from + longest;
    state.by = row;
    state.from = from;
  }
}

/**
 * The chain from the setter that bounds everything to the accused call. It ends as soon as a setter's own answer is bound
 * enough: what lies before it is true too, but not needed.
 */
function chain(cx: LeaseContext, trace: ReadonlyMap<number, Reach>, last: Reach, accused: number): Link[] {
  const { ops } = cx;
  const links: Link[] = [];
  const excess = ops.inv[accused]! - last.until;
  let later = accused;
  for (let reached: Reach | undefined = last; reached; reached = trace.get(reached.by)) {
    const { by, from, until } = reached;
    links.unshift({ kind: 'renewed', earlier: by, later, instant: until, from });
    const spare = ops.ret[by]! - from;
    if (trace.has(by) && spare < excess) {
      return links.map((link) => ({ ...link, instant: link.instant + spare, from: link.from! + spare }));
    }
    later = by;
  }
  return links;
}

function witness(links: readonly Link[], accused: number): number[] {
  return [...links.map((link) => link.earlier), accused];
}
