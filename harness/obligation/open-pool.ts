/**
 * An upper bound of how many items could be claimed, over time, from what clients saw. Pure, O(n log n).
 *
 * An item may be open from the moment its enqueue was sent until the answer of the grant that took it; and again from
 * the earliest moment at which that grant can have ended without finishing the item. Whatever is in doubt counts as open,
 * so the true number is never higher: a bound that is too low would let a full queue pass for a contended one.
 */
import { OP, type Operations, OUTCOME } from '../history/history.ts';
import { earliestEnd, leaseMs, shortest } from '../measure/lease-bounds.ts';
import type { Tenure } from '../measure/tenures.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Evidence } from './rule.ts';

/** Answers "how many at most, at this instant?". Instants must not go back from one call to the next. */
export type OpenPool = (instant: number) => number;

interface Changes {
  readonly opens: number[];
  readonly closes: number[];
}

/** The open pool of a history whose items are enqueued. */
export function openPool(evidence: Evidence, declares: Declares): OpenPool {
  const { ops } = evidence.history;
  const { all, others } = evidence.tenures;
  const changes: Changes = { opens: [], closes: [] };
  for (const rows of others.values()) {
    const born = birth(ops, rows);
    if (born < Number.POSITIVE_INFINITY) changes.opens.push(born);
  }
  let item = -1;
  for (const tenure of all) {
    const rows = others.get(tenure.item) ?? [];
    const isFirst = tenure.item !== item;
    item = tenure.item;
    // Granted, and never enqueued as far as we know: there must have been something to grant.
    if (isFirst && birth(ops, rows) === Number.POSITIVE_INFINITY) changes.opens.push(ops.inv[tenure.grant]!);
    changes.closes.push(ops.ret[tenure.grant]!);
    if (declares.lateCalls !== 'refused') lapses(ops, tenure, declares, changes);
    const end = possibleEnd(ops, tenure, rows, declares);
    // What was granted next was open before, whatever we think of it; so each close has its open.
    if (tenure.next) changes.opens.push(Math.min(end, ops.ret[tenure.next.grant]!));
    else if (end < Number.POSITIVE_INFINITY) changes.opens.push(end);
  }
  return counter(new Float64Array(changes.opens).sort(), new Float64Array(changes.closes).sort());
}

/** When the item can have come into being; +Infinity when no enqueue of it is known. */
function birth(ops: Operations, rows: readonly number[]): number {
  let born = Number.POSITIVE_INFINITY;
  for (const row of rows)
    if (ops.op[row] === OP.enqueue && mayHaveActed(ops, row)) born = Math.min(born, ops.inv[row]!);
  return born;
}

/** The earliest moment at which the tenure can have ended with the item open again; +Infinity when it never does. */
function possibleEnd(ops: Operations, tenure: Tenure, rows: readonly number[], declares: Declares): number {
  const last = isLastAttempt(ops, tenure, rows, declares);
  let end = last ? Number.POSITIVE_INFINITY : earliestEnd(ops, tenure, declares);
  for (const row of tenure.calls) {
    if (ops.op[row] === OP.complete && ops.outcome[row] === OUTCOME.accepted) return Number.POSITIVE_INFINITY;
    const handsBack = ops.op[row] === OP.release || (ops.op[row] === OP.nack && !last);
    if (handsBack && mayHaveActed(ops, row)) end = Math.min(end, ops.inv[row]!);
  }
  for (const row of rows) {
    const forced = ops.op[row] === OP.forceRelease && mayHaveActed(ops, row);
    if (forced && ops.ret[row]! >= ops.inv[tenure.grant]!)
      end = Math.min(end, Math.max(ops.inv[row]!, ops.inv[tenure.grant]!));
  }
  return end;
}

/** After the last attempt, a nack or a lapse makes the item dead, not open. */
function isLastAttempt(
  ops: Operations,
  tenure: Tenure,
  rows: readonly number[],
  declares: Declares,
): boolean {
  if (!declares.maxAttempts) return false;
  let limit = 0;
  for (const row of rows) {
    if (ops.op[row] !== OP.enqueue || !mayHaveActed(ops, row)) continue;
    if (ops.attempt[row] === 0) return false;
    limit = Math.max(limit, ops.attempt[row]!);
  }
  return limit > 0 && ops.attempt[tenure.grant]! >= limit;
}

/** Where late calls are allowed: between a lapse and the next accepted call, somebody else could have had the item. */
function lapses(ops: Operations, tenure: Tenure, declares: Declares, { opens, closes }: Changes): void {
  let end = ops.inv[tenure.grant]! + shortest(leaseMs(ops, tenure, tenure.grant), declares);
  for (const row of tenure.calls) {
    if (ops.outcome[row] !== OUTCOME.accepted) continue;
    if (end < ops.ret[row]!) {
      opens.push(end);
      closes.push(ops.ret[row]!);
    }
    if (ops.op[row] === OP.heartbeat) end = ops.inv[row]! + shortest(leaseMs(ops, tenure, row), declares);
  }
}

function counter(opens: Float64Array, closes: Float64Array): OpenPool {
  let opened = 0;
  let closed = 0;
  return (instant) => {
    while (opened < opens.length && opens[opened]! <= instant) opened += 1;
    while (closed < closes.length && closes[closed]! < instant) closed += 1;
    return opened - closed;
  };
}

const mayHaveActed = (ops: Operations, row: number): boolean =>
  ops.outcome[row] === OUTCOME.accepted || ops.outcome[row] === OUTCOME.info;
