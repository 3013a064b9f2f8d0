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
 *   lets each excuse any number of leases; if one was needed twice, `misfit` tries who gets it.
 * - A release is judged by nobody once its lease ended, so it may be the last call of its generation.
 * - Under `allowed-if-not-superseded` calls after the holder's own release or nack are accepted without effect on the lease.
 */
import { FLAG, OP, OUTCOME } from '../history/history.ts';
import { accuse, type Link } from './draft.ts';
import { acted, actedBy, type LeaseContext } from './lease-context.ts';
import { grants } from './token-rows.ts';

const NEVER = Number.NEGATIVE_INFINITY;
/** Assignments of token-less calls that are tried before the lenient answer stands. */
const MAX_ASSIGNMENTS = 512;

/** What is known of one generation once its calls are placed. */
interface Placed {
  readonly grant: number;
  readonly before: Placed | undefined;
  /** Earliest instant of the grant, and what in the generation before bounds it; undefined where its own invoke does. */
  lo: number;
  via: Bound | undefined;
  /** Earliest instant after all accepted calls of the generation. */
  after: Bound;
  /** Earliest end of its lease. */
  end: Bound;
}

interface Bound {
  readonly instant: number;
  readonly kind: Link['kind'];
  readonly row: number;
  /** For `lease`: when the setter acted, at the earliest. */
  readonly from?: number;
  /** For `ended`: the row that set the lease which the call ended. */
  readonly setter?: number;
}

/** Token-less call → the group that may use it; a call that is not named is free for all. */
type Assigned = ReadonlyMap<number, number>;
const FREE: Assigned = new Map();

/** Judges S3 on the item that `cx.rows` holds, leaving out what other rules have struck. */
export function judgePlacement(cx: LeaseContext, item: number): void {
  const blamed = cx.rows.wild.length === 0 ? FREE : misfit(cx, item, FREE, { left: MAX_ASSIGNMENTS });
  if (blamed) walk(cx, item, blamed, undefined, true);
}

/** Gives each token-less call to one generation that needs it, every way. Undefined when one way fits, or the budget is gone. */
function misfit(
  cx: LeaseContext,
  item: number,
  assigned: Assigned,
  budget: { left: number },
): Assigned | undefined {
  budget.left -= 1;
  if (budget.left < 0) return undefined;
  const used = new Map<number, number[]>();
  if (!walk(cx, item, assigned, used, false)) return assigned;
  const contested = [...used].find(([, by]) => by.length > 1);
  if (!contested) return undefined;
  let first: Assigned | undefined;
  for (const group of contested[1]) {
    const failed = misfit(cx, item, new Map([...assigned, [contested[0], group]]), budget);
    if (!failed) return undefined;
    first ??= failed;
  }
  return first;
}

/**
 * Places the generations in order. Answers whether everything fits; stops at the first thing that does not unless it is
 * to `report`. `used` collects which token-less call ended the lease of which group.
 */
function walk(
  cx: LeaseContext,
  item: number,
  assigned: Assigned,
  used: Map<number, number[]> | undefined,
  report: boolean,
): boolean {
  const { ops, rows, struck } = cx;
  const { S3 } = cx.tallies;
  let before: Placed | undefined;
  for (let g = 0; g < rows.groups; g++) {
    const from = rows.from[g]!;
    const to = rows.from[g + 1]!;
    const grant = rows.grant[g]! >= 0 && struck[from] === 0 ? rows.grant[g]! : -1;
    if (grant < 0 && !anyActed(cx, from, to)) continue;
    const placed = placeGrant(cx, grant, before);
    if (grant >= 0 && ops.ret[grant]! < placed.lo) {
      if (!report) return false;
      const at = ops.ret[grant]!;
      const links = chain(ops.inv, placed, grant, at);
      accuse(S3, at, () => ({
        guarantee: 'S3',
        item,
        accused: grant,
        rows: rowsOf(links, grant),
        links,
        at,
      }));
      placed.lo = ops.inv[grant]!;
      placed.via = undefined;
    }
    for (let i = from; i < to; i++) {
      const row = rows.rows[i]!;
      if (row === grant || struck[i] === 1 || !acted(cx, row) || grants(ops.op[row]!)) continue;
      const ret = actedBy(cx, item, row);
      if (!(ret < placed.lo)) continue;
      if (!report) return false;
      struck[i] = 1;
      const links = chain(ops.inv, placed, row, ret);
      accuse(S3, ret, () => ({
        guarantee: 'S3',
        item,
        accused: row,
        rows: rowsOf(links, row),
        links,
        at: ret,
      }));
    }
    placeCalls(cx, g, placed, assigned, used);
    before = placed;
  }
  return true;
}

function anyActed(cx: LeaseContext, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (cx.struck[i] === 0 && acted(cx, cx.rows.rows[i]!)) return true;
  return false;
}

const NOWHERE: Bound = { instant: NEVER, kind: 'order', row: -1 };

function placeGrant(cx: LeaseContext, grant: number, before: Placed | undefined): Placed {
  const { ops } = cx;
  const inv = grant < 0 ? NEVER : ops.inv[grant]!;
  const placed: Placed = { grant, before, lo: inv, via: undefined, after: NOWHERE, end: NOWHERE };
  if (!before) return placed;
  // A generation that no answer told of may have been granted to the holder's own, unanswered claim.
  const reacquires =
    grant < 0 ||
    ((ops.flags[grant]! & FLAG.reacquire) !== 0 &&
      (before.grant < 0 || ops.owner[grant] === ops.owner[before.grant]));
  const via = reacquires ? before.after : before.end;
  if (via.instant > inv) {
    placed.lo = via.instant;
    placed.via = via;
  }
  return placed;
}

/** Fills in when all accepted calls of the generation can be over, and when its lease can. */
function placeCalls(
  cx: LeaseContext,
  g: number,
  placed: Placed,
  assigned: Assigned,
  used: Map<number, number[]> | undefined,
): void {
  const { ops, rows, struck, bounds } = cx;
  const { grant } = placed;
  let after = placed.lo;
  let afterRow = grant;
  let setter = grant;
  let set = placed.lo;
  let lease = grant < 0 ? Number.POSITIVE_INFINITY : bounds.atLeast(ops.leaseMs[grant]!);
  let ended = false;
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    const op = ops.op[row]!;
    if (struck[i] === 1 || ops.outcome[row] === OUTCOME.refused || grants(op)) continue;
    if (op === OP.heartbeat) {
      const own = bounds.atLeast(ops.leaseMs[row]!);
      if (own < lease) lease = own;
    }
    if (!acted(cx, row)) continue;
    if (op === OP.release || op === OP.nack) ended = true;
    const inv = ops.inv[row]!;
    if (inv > after) {
      after = inv;
      afterRow = row;
    }
    if (op === OP.heartbeat && (setter < 0 || inv > set)) {
      set = Math.max(set, inv);
      setter = row;
    }
  }
  placed.after = { instant: after, kind: 'order', row: afterRow };
  // A lease of unknown length, and one given back, keep nobody waiting.
  if (ended || setter < 0 || !(set + lease > after)) {
    placed.end = placed.after;
    return;
  }
  placed.end = { instant: set + lease, kind: 'lease', row: setter, from: set };
  earlierEnd(cx, g, placed, setter, assigned, used);
}

/** What may have ended the lease before its time: unknown releases and nacks of the generation, and calls that name none. */
function earlierEnd(
  cx: LeaseContext,
  g: number,
  placed: Placed,
  setter: number,
  assigned: Assigned,
  used: Map<number, number[]> | undefined,
): void {
  const { ops, rows, declares, bounds } = cx;
  const late = declares.lateCalls === 'allowed-if-not-superseded';
  /** With `refused` nothing but releases can follow the end of the lease; else the end may have come before other calls. */
  const least = late ? placed.lo : placed.after.instant;
  let best = placed.end;
  const consider = (row: number, earliest: number, extra: number): boolean => {
    const acts = Math.max(ops.inv[row]!, earliest);
    if (acts > ops.ret[row]!) return false;
    const instant = Math.max(acts + extra, placed.after.instant);
    if (!(instant < best.instant)) return false;
    best = { instant, kind: 'ended', row, setter };
    return true;
  };
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    const op = ops.op[row];
    if ((op === OP.release || op === OP.nack) && ops.outcome[row] === OUTCOME.info) consider(row, least, 0);
  }
  let borrowed = -1;
  for (const row of rows.wild) {
    if ((assigned.get(row) ?? g) !== g) continue;
    if (ops.op[row] === OP.forceRelease) {
      if (consider(row, least, 0)) borrowed = row;
    } else if (placed.grant < 0 || ops.owner[row] === ops.owner[placed.grant]) {
      // The claim fences this generation's calls, so it comes after all of them.
      if (consider(row, placed.after.instant, bounds.atLeast(ops.leaseMs[row]!))) borrowed = row;
    }
  }
  if (borrowed >= 0 && used) used.set(borrowed, [...(used.get(borrowed) ?? []), g]);
  placed.end = best;
}

/**
 * Why `accused` cannot have been answered as early as `ret`: the steps from the call that bounds everything down to it. The
 * chain ends as soon as a call's own invoke is bound enough: what lies before it is true too, but not needed.
 */
function chain(inv: Float64Array, placed: Placed, accused: number, ret: number): Link[] {
  const links: Link[] = [];
  if (accused !== placed.grant) {
    links.push({ kind: 'granted', earlier: placed.grant, later: accused, instant: placed.lo });
  }
  const excess = placed.lo - ret;
  let here: Placed = placed;
  while (here.via && here.before) {
    const { row: earlier, ...bound } = here.via;
    links.unshift({ ...bound, earlier, later: here.grant });
    const { before }: Placed = here;
    if (bound.kind === 'ended' && inv[earlier]! >= before.after.instant) break;
    const source: number = bound.kind === 'lease' ? earlier : before.after.row;
    const instant: number = bound.from ?? before.after.instant;
    const spare = instant - inv[source]!;
    if (!(spare >= excess)) return links.map((link) => sooner(link, spare > 0 ? spare : 0));
    if (source !== before.grant) {
      links.unshift({ kind: 'granted', earlier: before.grant, later: source, instant: before.lo });
    }
    here = before;
  }
  return links;
}

const sooner = (link: Link, by: number): Link => ({
  ...link,
  instant: link.instant - by,
  ...(link.from === undefined ? {} : { from: link.from - by }),
});

function rowsOf(links: readonly Link[], accused: number): number[] {
  const rows = new Set<number>();
  for (const { earlier, setter } of links) {
    if (setter !== undefined) rows.add(setter);
    rows.add(earlier);
  }
  rows.delete(-1);
  rows.delete(accused);
  return [...rows, accused];
}
