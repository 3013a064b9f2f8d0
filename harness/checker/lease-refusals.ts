/**
 * S21: a holder call is not refused while its lease certainly stands.
 *
 * Formal condition. E_low(t, b) is the earliest instant at which the lease of grant t can have ended, as known at b: the
 * least, over all setters of t (its grant, its heartbeats) that may have been the last, of inv + L*(1-rho) - sigma - grain, with the
 * shortest lease that t was ever set to.
 * Violated iff a holder call x under t, sent after the grant was answered, was refused as stale or gone, with
 * ret(x) < E_low(t, ret(x)), and nothing that was sent before ret(x) can have ended the lease: no accepted or unknown complete,
 * nack, release or force release of the item, no grant that may be later, no unknown claim with `reacquire`.
 *
 *      w1 ├claim 4, lease L┤  ├─complete 4─┤ refused as stale
 *         └────────────────────── L ───────────────────────┘
 *
 * A fenced write is judged where its lease is all that its commit asks for: else another condition may be the reason.
 *
 * A heartbeat of unknown outcome excuses too: it may have put a new token in place of the one that the holder knows. So does one that
 * was answered with another token than the call carries. Calls of any other holder count as possible ends: a store that accepts
 * those breaks S4 or S14, and that is told there.
 */
import { FLAG, OP, OUTCOME, REFUSALS } from '../history/history.ts';
import { accuse } from './draft.ts';
import type { LeaseContext } from './lease-context.ts';
import { asksOnlyForItsLease } from './lease-rows.ts';
import { tokenOf } from './pairwise-exclusion.ts';
import { grants } from './token-rows.ts';

/** Refusals that say that the lease is over, or another's. */
const GONE: ReadonlySet<number> = new Set(
  (['stale', 'expired', 'not-held', 'completed', 'dead', 'unknown-item'] as const).map((code) =>
    REFUSALS.indexOf(code),
  ),
);

/** Judges S21 on an item with ordered generations, which `cx.rows` holds; `all` are its rows. */
export function judgeRefusals(cx: LeaseContext, item: number, all: Uint32Array): void {
  const { rows } = cx;
  if (rows.ambiguous) return;
  for (let g = 0; g < rows.groups; g++) {
    const grant = rows.grant[g]!;
    if (grant >= 0)
      judgeTenure(cx, item, grant, rows.rows.subarray(rows.from[g]! + 1, rows.from[g + 1]!), all);
  }
}

/** The same where tokens have no order. */
export function judgeOpaqueRefusals(cx: LeaseContext, item: number, all: Uint32Array): void {
  const { ops, declares } = cx;
  if (declares.fencing !== 'lock' || declares.tokens === 'none') return;
  /** Token → its grant, and -1 where two grants carry it. */
  const granted = new Map<string, number>();
  const calls = new Map<string, number[]>();
  for (const row of all) {
    const token = tokenOf(cx, row);
    if (token === undefined) continue;
    if (grants(ops.op[row]!) && ops.outcome[row] === OUTCOME.accepted)
      granted.set(token, granted.has(token) ? -1 : row);
    else if (isHolderCall(ops.op[row]!) || cx.guarded.get(row) === item)
      calls.set(token, [...(calls.get(token) ?? []), row]);
  }
  for (const [token, own] of calls) {
    const grant = granted.get(token) ?? -1;
    if (grant < 0) continue;
    own.sort((a, b) => ops.inv[a]! - ops.inv[b]!);
    judgeTenure(cx, item, grant, own, all);
  }
}

/** `calls` are the holder calls under the grant, in the order in which they were sent. */
function judgeTenure(
  cx: LeaseContext,
  item: number,
  grant: number,
  calls: ArrayLike<number>,
  all: Uint32Array,
): void {
  const { ops, bounds } = cx;
  const { S21 } = cx.tallies;
  let stands = ops.inv[grant]! + bounds.atLeast(ops.leaseMs[grant]!);
  for (let i = 0; i < calls.length; i++) {
    const row = calls[i]!;
    const outcome = ops.outcome[row]!;
    if (outcome === OUTCOME.accepted) {
      // Sent and answered within the lease as it was first granted, or last renewed: the store said yes where it had to.
      if (ops.ret[row]! < stands) S21.opportunities += 1;
      if (ops.op[row] === OP.heartbeat) {
        const renewed = ops.inv[row]! + bounds.atLeast(ops.leaseMs[row]!);
        if (renewed > stands) stands = renewed;
      }
      continue;
    }
    if (outcome !== OUTCOME.refused || !GONE.has(ops.code[row]!) || !(ops.ret[grant]! < ops.inv[row]!))
      continue;
    if (ops.op[row] === OP.commit && !asksOnlyForItsLease(cx.history, row)) continue;
    const last = standing(cx, grant, calls, row);
    if (!last || mayHaveEnded(cx, grant, row, all)) continue;
    S21.opportunities += 1;
    const at = ops.ret[row]!;
    const { setter, until: instant } = last;
    const rows = setter === grant ? [grant, row] : [grant, setter, row];
    accuse(S21, at, () => ({
      guarantee: 'S21',
      item,
      accused: row,
      rows,
      links: [{ kind: 'stands', earlier: setter, later: row, instant, from: ops.inv[setter]! }],
      at,
    }));
  }
}

/** The lease of a tenure as it stands at the answer of a refused call: the setter that bounds its earliest end, and that end. */
interface Standing {
  readonly setter: number;
  readonly until: number;
}

/** Undefined where the lease may have ended by the answer of `x`. A later renewal may have shortened it: the shortest counts. */
function standing(
  cx: LeaseContext,
  grant: number,
  calls: ArrayLike<number>,
  x: number,
): Standing | undefined {
  const { ops, bounds } = cx;
  const by = ops.ret[x]!;
  const isSetter = (row: number): boolean =>
    ops.op[row] === OP.heartbeat && ops.outcome[row] === OUTCOME.accepted && ops.inv[row]! <= by;
  /** The latest setter that certainly acted before `x` was sent. */
  let certain = ops.inv[grant]!;
  let lease = bounds.atLeast(ops.leaseMs[grant]!);
  for (let i = 0; i < calls.length; i++) {
    const row = calls[i]!;
    if (!isSetter(row)) continue;
    if (ops.ret[row]! < ops.inv[x]! && ops.inv[row]! > certain) certain = ops.inv[row]!;
    const own = bounds.atLeast(ops.leaseMs[row]!);
    if (!(own >= lease)) lease = own;
  }
  let setter = -1;
  const consider = (row: number): void => {
    if (ops.ret[row]! < certain) return;
    if (setter < 0 || ops.inv[row]! < ops.inv[setter]!) setter = row;
  };
  consider(grant);
  for (let i = 0; i < calls.length; i++) if (isSetter(calls[i]!)) consider(calls[i]!);
  const until = ops.inv[setter]! + lease;
  return by < until ? { setter, until } : undefined;
}

/** Whether anything else can have ended the lease, or changed its token, before the answer of `x`. */
function mayHaveEnded(cx: LeaseContext, grant: number, x: number, all: Uint32Array): boolean {
  const { ops, history } = cx;
  const by = ops.ret[x]!;
  const own = tokenOf(cx, grant);
  /** The call carries the token of the grant, or one that a renewal certainly put in its place before. */
  let known = history.tokens.get(x) === history.tokens.get(grant);
  for (const row of all) {
    const outcome = ops.outcome[row]!;
    if (row === grant || outcome === OUTCOME.refused || outcome === OUTCOME.fail) continue;
    if (!(ops.inv[row]! <= by) || ops.ret[row]! < ops.inv[grant]!) continue;
    const op = ops.op[row]!;
    if (op === OP.complete || op === OP.nack || op === OP.release || op === OP.forceRelease) return true;
    if (op === OP.heartbeat) {
      const token = tokenOf(cx, row);
      if (token !== undefined && token !== own) continue;
      if (outcome === OUTCOME.info) return true;
      const moved = history.movedTo.get(row);
      if (moved === undefined) continue;
      if (moved !== history.tokens.get(x) || !(ops.ret[row]! < ops.inv[x]!)) return true;
      known = true;
    } else if (grants(op)) {
      if (outcome === OUTCOME.info ? (ops.flags[row]! & FLAG.reacquire) !== 0 : mayBeLater(cx, row, grant))
        return true;
    }
  }
  return !known;
}

/** Generations tell, where both have one. */
const mayBeLater = ({ ops, declares }: LeaseContext, row: number, grant: number): boolean =>
  declares.tokens !== 'ascending' || !(ops.generation[row]! < ops.generation[grant]!);

const isHolderCall = (op: number): boolean =>
  op === OP.heartbeat || op === OP.complete || op === OP.nack || op === OP.release;
