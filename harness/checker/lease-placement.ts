/**
 * S3: an item is granted again only once the former lease ended, was given back, or was reacquired by its owner.
 *
 * Formal condition. The generations force the order grant(t1), calls(t1), grant(t2), calls(t2), ... . Place every effect as
 * early as that order, the calls' own intervals and the leases allow:
 *   lo(grant)  = max(inv, avail)                       lo(call) = max(inv, lo(its grant))
 *   lo(nack or complete) = max(inv, lo of the accepted heartbeats of t)
 *   avail      = lo of all accepted calls of t         where t was released or nacked, or the next grant reacquires
 *              = max(lo of accepted setters) + L*(1-rho) - sigma - grain     otherwise,
 *                or earlier: when a call of unknown outcome, or a force release, can have ended the lease
 * Violated iff ret(o) < lo(o) for some accepted o: then no placement at all exists, since the least one does not fit.
 *
 *      w1 ├claim 4, lease L┤
 *      w2                    ├claim 5┤                   answered before the lease of 4 can have ended
 *         └────────────── L ───────────────┘
 *
 *      pairwise rules miss:  g1 [0,0]  g2 [0.5L,1.5L]  g3 [1.6L,1.6L]: each neighbouring pair is fine, the three are not.
 *
 * Decided, so that an accusation holds for every store within its declarations:
 * - Setters with different leases: the smallest lease of the generation, since a later renewal may have shortened it.
 * - A heartbeat of unknown outcome is left out: it may never have acted, and acting it only delays the end.
 * - A force release, accepted or unknown, ends whatever lease stands or does nothing; an unanswered claim with `reacquire` by
 *   the same owner may have put a shorter lease in place of the former. Both name no generation and act once. The first walk
 *   lets each end any number of leases; if one was needed twice, `misfit` tries who gets it.
 * - A release is judged by nobody once its lease ended, so it may be the last call of its generation.
 * - Under `allowed-if-not-superseded` calls after the holder's own release or nack are accepted without effect on the lease.
 */
import { OP } from '../history/history.ts';
import { accuse } from './draft.ts';
import { acted, actedBy, type LeaseContext } from './lease-context.ts';
import { type Assigned, type Placed, placeCalls, placeGrant } from './placed.ts';
import { chain, rowsOf } from './placement-chain.ts';
import { grants } from './token-rows.ts';

/** Assignments of token-less calls that are tried before the lenient answer stands. */
const MAX_ASSIGNMENTS = 512;

/** A longer story than this would not be confirmed, nor understood: the lenient answer stands. */
const MAX_CONTESTED_ROWS = 20;

const FREE: Assigned = new Map();

/** Judges S3 on the item that `cx.rows` holds, leaving out what other rules have struck. */
export function judgePlacement(cx: LeaseContext, item: number): void {
  if (cx.rows.groups === 1 && inOrder(cx)) return;
  if (cx.rows.wild.length === 0) {
    walk(cx, item, FREE, undefined, true);
    return;
  }
  const failed = misfit(cx, item, FREE, { left: MAX_ASSIGNMENTS });
  if (failed) walk(cx, item, failed.assigned, undefined, true);
}

/** The quick answer for an item of one generation: every call under it was answered after the grant was asked for. */
function inOrder({ ops, rows }: LeaseContext): boolean {
  const grant = rows.grant[0]!;
  if (grant < 0) return true;
  for (let i = 1; i < rows.count; i++) if (ops.ret[rows.rows[i]!]! < ops.inv[grant]!) return false;
  return true;
}

/** A way to give the token-less calls to leases, and the group that does not fit then. */
interface Misfit {
  readonly assigned: Assigned;
  readonly group: number;
}

/**
 * Gives each token-less call to one generation that needs it, every way. Undefined when one way fits, or the budget is gone;
 * else the way that gets furthest.
 */
function misfit(
  cx: LeaseContext,
  item: number,
  assigned: Assigned,
  budget: { left: number },
): Misfit | undefined {
  budget.left -= 1;
  if (budget.left < 0) return undefined;
  const used = new Map<number, number[]>();
  const group = walk(cx, item, assigned, used, false);
  if (group >= 0) return { assigned, group };
  const contested = [...used].find(([, by]) => by.length > 1);
  if (!contested || cx.rows.count > MAX_CONTESTED_ROWS) return undefined;
  let furthest: Misfit | undefined;
  for (const user of contested[1]) {
    const failed = misfit(cx, item, new Map([...assigned, [contested[0], user]]), budget);
    if (!failed) return undefined;
    if (!furthest || failed.group > furthest.group) furthest = failed;
  }
  return furthest;
}

/**
 * Places the generations in order. Answers the group of the first thing that does not fit, and -1 when everything does; goes
 * on behind it only to `report`, and not where the misfit hangs on who was given a token-less call. `used` collects which token-less call was needed to end the lease of which group.
 */
function walk(
  cx: LeaseContext,
  item: number,
  assigned: Assigned,
  used: Map<number, number[]> | undefined,
  report: boolean,
): number {
  const { ops, rows, struck } = cx;
  const { S3 } = cx.tallies;
  let before: Placed | undefined;
  for (let g = 0; g < rows.groups; g++) {
    const from = rows.from[g]!;
    const to = rows.from[g + 1]!;
    const grant = rows.grant[g]! >= 0 && struck[from] === 0 ? rows.grant[g]! : -1;
    if (grant < 0 && !anyActed(cx, from, to)) continue;
    const placed = placeGrant(cx, grant, before, used);
    if (grant >= 0 && ops.ret[grant]! < placed.lo) {
      if (!report) return g;
      const at = ops.ret[grant]!;
      accuse(S3, at, () => {
        const links = chain(ops.inv, placed, grant, at);
        const witness = rowsOf(links, grant, spent(cx, assigned, g));
        return { guarantee: 'S3', item, accused: grant, rows: witness, links, at };
      });
      if (assigned.size > 0) return g;
      placed.lo = ops.inv[grant]!;
      placed.via = undefined;
    }
    for (let i = from; i < to; i++) {
      const row = rows.rows[i]!;
      if (row === grant || struck[i] === 1 || !acted(cx, row) || grants(ops.op[row]!)) continue;
      const ret = actedBy(cx, item, row);
      if (!(ret < placed.lo)) continue;
      if (!report) return g;
      struck[i] = 1;
      accuse(S3, ret, () => {
        const links = chain(ops.inv, placed, row, ret);
        const witness = rowsOf(links, row, spent(cx, assigned, g));
        return { guarantee: 'S3', item, accused: row, rows: witness, links, at: ret };
      });
      if (assigned.size > 0) return g;
    }
    placeCalls(cx, g, placed, assigned);
    before = placed;
  }
  return -1;
}

function anyActed(cx: LeaseContext, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (cx.struck[i] === 0 && acted(cx, cx.rows.rows[i]!)) return true;
  return false;
}

/**
 * Token-less calls that were needed for several leases and can end but one: the accusation rests on where else they were
 * needed, so every lease so far belongs to the witness.
 */
function spent(cx: LeaseContext, assigned: Assigned, accused: number): number[] {
  const { ops, rows, struck } = cx;
  const all = [...assigned.keys()];
  if (all.length === 0) return all;
  for (let i = 0; i < rows.from[accused]!; i++) {
    const row = rows.rows[i]!;
    const sets = grants(ops.op[row]!) || ops.op[row] === OP.heartbeat;
    if (sets && struck[i] === 0 && acted(cx, row)) all.push(row);
  }
  return all;
}
