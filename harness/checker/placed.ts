/**
 * One generation in the earliest placement: when it can have been granted, when its accepted calls can be over, and when its
 * lease can. Part of S3 (`lease-placement.ts`).
 */
import { FLAG, OP, OUTCOME } from '../history/history.ts';
import type { Link } from './draft.ts';
import { acted, type LeaseContext } from './lease-context.ts';
import { grants } from './token-rows.ts';

const NEVER = Number.NEGATIVE_INFINITY;

/** What is known of one generation once its calls are placed. */
export interface Placed {
  group: number;
  readonly grant: number;
  readonly before: Placed | undefined;
  /** Earliest instant of the grant, and what in the generation before bounds it; undefined where its own invoke does. */
  lo: number;
  via: Bound | undefined;
  /** Earliest instant after all accepted calls of the generation. */
  after: Bound;
  /** Earliest end of its lease. */
  end: Bound;
  /** The token-less call that ends the lease that early, and its earliest end without; -1 and +Infinity where none does. */
  borrowed: number;
  unaided: number;
  /** Some call could have ended the lease, had it not been answered, or cut off, too early for this placement. */
  barred: boolean;
}

export interface Bound {
  readonly instant: number;
  readonly kind: Link['kind'];
  readonly row: number;
  /** For `lease`: when the setter acted, at the earliest. */
  readonly from?: number;
  /** For `ended`: the row that set the lease which the call ended, and the one that it had to follow. */
  readonly beside?: readonly number[];
}

/** Token-less call → the group that may use it; a call that is not named is free for all. */
export type Assigned = ReadonlyMap<number, number>;

const NOWHERE: Bound = { instant: NEVER, kind: 'order', row: -1 };

/** When the grant can have been; `used` collects which token-less calls were needed, and by which group. */
export function placeGrant(
  cx: LeaseContext,
  grant: number,
  before: Placed | undefined,
  used: Map<number, number[]> | undefined,
): Placed {
  const { ops } = cx;
  const inv = grant < 0 ? NEVER : ops.inv[grant]!;
  const placed: Placed = {
    group: -1,
    grant,
    before,
    lo: inv,
    via: undefined,
    after: NOWHERE,
    end: NOWHERE,
    borrowed: -1,
    unaided: Number.POSITIVE_INFINITY,
    barred: false,
  };
  if (!before) return placed;
  // A generation that no answer told of may have been granted to the holder's own, unanswered claim.
  const reacquires =
    grant < 0 ||
    ((ops.flags[grant]! & FLAG.reacquire) !== 0 &&
      (before.grant < 0 || ops.owner[grant] === ops.owner[before.grant]));
  if (used && !reacquires && before.borrowed >= 0 && before.unaided > inv) {
    used.set(before.borrowed, [...(used.get(before.borrowed) ?? []), before.group]);
  }
  const via = reacquires ? before.after : before.end;
  if (via.instant > inv) {
    placed.lo = via.instant;
    placed.via = via;
  }
  return placed;
}

/** Fills in when all accepted calls of the generation can be over, and when its lease can. */
export function placeCalls(cx: LeaseContext, g: number, placed: Placed, assigned: Assigned): void {
  const { ops, rows, struck, bounds } = cx;
  const { grant } = placed;
  placed.group = g;
  let after = placed.lo;
  let afterRow = grant;
  let setter = grant;
  let set = placed.lo;
  let lease = grant < 0 ? Number.POSITIVE_INFINITY : bounds.atLeast(ops.leaseMs[grant]!);
  let ended = false;
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    const op = ops.op[row]!;
    if (ops.outcome[row] === OUTCOME.refused || grants(op)) continue;
    // An accused end of the lease may have ended it all the same: nothing follows from one fault but itself.
    if ((op === OP.release || op === OP.nack) && acted(cx, row)) ended = true;
    if (op === OP.heartbeat) {
      const own = bounds.atLeast(ops.leaseMs[row]!);
      if (own < lease) lease = own;
    }
    if (struck[i] === 1 || !acted(cx, row)) continue;
    const inv = ops.inv[row]!;
    if (afterRow < 0 || inv > after) {
      after = Math.max(after, inv);
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
  earlierEnd(cx, g, placed, setter, assigned);
}

/** What may have ended the lease before its time: unknown releases and nacks of the generation, and calls that name none. */
function earlierEnd(cx: LeaseContext, g: number, placed: Placed, setter: number, assigned: Assigned): void {
  const { ops, rows, declares, bounds } = cx;
  const late = declares.lateCalls === 'allowed-if-not-superseded';
  /** With `refused` nothing but releases can follow the end of the lease; else the end may have come before other calls. */
  const least = late ? placed.lo : placed.after.instant;
  let best = placed.end;
  const consider = (row: number, earliest: number, extra: number): boolean => {
    const acts = Math.max(ops.inv[row]!, earliest);
    if (acts > ops.ret[row]!) {
      placed.barred = true;
      return false;
    }
    const instant = Math.max(acts + extra, placed.after.instant);
    if (!(instant < best.instant)) return false;
    best = { instant, kind: 'ended', row, beside: [setter, placed.after.row] };
    return true;
  };
  for (let i = rows.from[g]!; i < rows.from[g + 1]!; i++) {
    const row = rows.rows[i]!;
    const op = ops.op[row];
    if ((op === OP.release || op === OP.nack) && ops.outcome[row] === OUTCOME.info) consider(row, least, 0);
  }
  const unaided = best.instant;
  for (const row of rows.wild) {
    if ((assigned.get(row) ?? g) !== g) continue;
    if (ops.op[row] === OP.forceRelease) {
      if (consider(row, least, 0)) placed.borrowed = row;
    } else if (placed.grant < 0 || ops.owner[row] === ops.owner[placed.grant]) {
      // The claim fences this generation's calls, so it comes after all of them.
      if (consider(row, placed.after.instant, bounds.atLeast(ops.leaseMs[row]!))) placed.borrowed = row;
    }
  }
  if (placed.borrowed >= 0) placed.unaided = unaided;
  placed.end = best;
}
