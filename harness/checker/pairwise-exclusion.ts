/**
 * S3 where generations force no order.
 *
 * Violated iff two neighbouring grants a, b of one item are explained by neither order: in either, the second was answered
 * before the lease that the first (or its last renewal that certainly came before the second) set can have ended, and no call
 * can have ended that lease early.
 *
 *      w1 ├claim, lease L┤
 *      w2      ├claim┤              whichever came first, its lease was standing
 *
 * A possible end of the lease of a is any accepted or unknown release, nack or complete that carries its token, any force
 * release, and any claim with `reacquire` by the same owner, if it can have acted between the two. A store that does not
 * fence (`fencing: none | resource`) lets any holder call end a lease, so there the token does not matter.
 */
import { FLAG, OP, type Operations, OUTCOME } from '../history/history.ts';
import { accuse } from './draft.ts';
import type { LeaseContext } from './lease-context.ts';
import { sameRequest } from './token-rows.ts';

/** What tells one grant from another: the opaque token, else the generation; undefined where a grant told neither. */
export function tokenOf(cx: LeaseContext, row: number): string | undefined {
  const { ops, history } = cx;
  const token = history.tenureTokens.get(row);
  if (token !== undefined) return token;
  const generation = ops.generation[row]!;
  return Number.isNaN(generation) ? undefined : `#${generation}`;
}

/** Whether a call carries the token of a grant; undefined where one of them tells none. */
export function sameToken(cx: LeaseContext, row: number, grant: number): boolean | undefined {
  const a = tokenOf(cx, row);
  const b = tokenOf(cx, grant);
  return a === undefined || b === undefined ? undefined : a === b;
}

/** Index of the first of `rows`, sorted by `inv`, that was invoked after `instant`. */
export function firstAfter(inv: Float64Array, rows: readonly number[], instant: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (inv[rows[middle]!]! > instant) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Calls of one item, for asking which of them can have acted in a stretch of time. */
interface Calls {
  readonly rows: readonly number[];
  readonly longest: number;
  readonly unanswered: readonly number[];
}

/** Judges the neighbours among the grants, which are sorted by `inv`. */
export function exclusive(
  cx: LeaseContext,
  item: number,
  granted: readonly number[],
  others: readonly number[],
): void {
  const { ops } = cx;
  const { S3 } = cx.tallies;
  const calls = index(ops, [...granted, ...others]);
  for (let i = 1; i < granted.length; i++) {
    S3.opportunities += 1;
    const a = granted[i - 1]!;
    const b = granted[i]!;
    if (sameRequest(ops, a, b)) continue;
    const setter = tooEarly(cx, a, b, calls);
    if (setter < 0 || tooEarly(cx, b, a, calls) < 0) continue;
    const at = Math.max(ops.ret[a]!, ops.ret[b]!);
    const rows = setter === a ? [a, b] : [a, setter, b];
    accuse(S3, at, () => ({ guarantee: 'S3', item, accused: b, rows, links: [], at }));
  }
}

function index(ops: Operations, rows: readonly number[]): Calls {
  const answered = rows
    .filter((row) => ops.outcome[row] === OUTCOME.accepted)
    .sort((a, b) => ops.inv[a]! - ops.inv[b]!);
  const unanswered = rows.filter((row) => ops.outcome[row] === OUTCOME.info);
  return {
    rows: answered,
    unanswered,
    longest: answered.reduce((most, row) => Math.max(most, ops.ret[row]! - ops.inv[row]!), 0),
  };
}

/** Whether `b` after `a` would be too early: the row that set the lease which was standing, else -1. */
function tooEarly(cx: LeaseContext, a: number, b: number, calls: Calls): number {
  const { ops, bounds, declares } = cx;
  if ((ops.flags[b]! & FLAG.reacquire) !== 0 && ops.owner[a] === ops.owner[b]) return -1;
  const from = ops.inv[a]!;
  const to = ops.ret[b]!;
  const fenced = declares.fencing === 'lock' && declares.tokens !== 'none';
  let setter = a;
  let lease = bounds.atLeast(ops.leaseMs[a]!);
  /** Takes one call that can have acted between the two; false when it can have ended the lease. */
  const take = (row: number): boolean => {
    const op = ops.op[row]!;
    const mine = fenced ? sameToken(cx, row, a) : undefined;
    if (op === OP.forceRelease) return false;
    if (op === OP.claim || op === OP.claimNext) {
      return (
        row === a || row === b || (ops.flags[row]! & FLAG.reacquire) === 0 || ops.owner[row] !== ops.owner[a]
      );
    }
    if (mine === false) return true;
    if (op !== OP.heartbeat) return false;
    const own = bounds.atLeast(ops.leaseMs[row]!);
    if (own < lease) lease = own;
    if (
      mine &&
      ops.outcome[row] === OUTCOME.accepted &&
      ops.ret[row]! < ops.inv[b]! &&
      ops.inv[row]! > ops.inv[setter]!
    )
      setter = row;
    return true;
  };
  for (const row of calls.unanswered)
    if (ops.inv[row]! <= to && ops.ret[row]! >= from && !take(row)) return -1;
  for (let i = firstAfter(ops.inv, calls.rows, from - calls.longest - 1); i < calls.rows.length; i++) {
    const row = calls.rows[i]!;
    if (ops.inv[row]! > to) break;
    if (ops.ret[row]! >= from && !take(row)) return -1;
  }
  return to < ops.inv[setter]! + lease ? setter : -1;
}
