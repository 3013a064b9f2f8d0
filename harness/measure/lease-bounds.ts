/**
 * When a lease can have ended at the earliest and at the latest, from what clients saw (E_low and E_high of
 * spec/checking.md 3.5). Only invoke and answer times and the declared clock bounds go in. Pure. Nanoseconds.
 */
import { OP, type Operations, OUTCOME } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Tenure } from './tenures.ts';

const NS_PER_MS = 1e6;

/** The declared bounds of the clock that ends leases. */
export type ClockBounds = Pick<Declares, 'clockDrift' | 'clockStepMs' | 'grainMs'>;

/** The earliest instant at which the lease can have been over. Terminators are not looked at. */
export function earliestEnd(ops: Operations, tenure: Tenure, bounds: ClockBounds): number {
  const setters = settersOf(ops, tenure);
  // The last setter that certainly acted; what was answered before it was sent can no longer decide.
  let lastInv = Number.NEGATIVE_INFINITY;
  for (const row of setters)
    if (ops.outcome[row] === OUTCOME.accepted) lastInv = Math.max(lastInv, ops.inv[row]!);
  let end = Number.POSITIVE_INFINITY;
  for (const row of setters) {
    if (ops.ret[row]! >= lastInv)
      end = Math.min(end, ops.inv[row]! + shortest(leaseMs(ops, tenure, row), bounds));
  }
  return end;
}

/** The latest instant at which the lease can have ended, counting only setters sent by `before`, answered by `cutOff`. */
export function latestEnd(
  ops: Operations,
  tenure: Tenure,
  bounds: ClockBounds,
  before = Number.POSITIVE_INFINITY,
  cutOff = Number.POSITIVE_INFINITY,
): number {
  let end = Number.NEGATIVE_INFINITY;
  for (const row of settersOf(ops, tenure)) {
    if (ops.inv[row]! > before) continue;
    end = Math.max(end, Math.min(ops.ret[row]!, cutOff) + longest(leaseMs(ops, tenure, row), bounds));
  }
  return end;
}

/** The shortest that a lease of so many ms can last; ns. Nothing, where its duration is not known (NaN). */
export const shortest = (ms: number, bounds: ClockBounds): number =>
  Number.isNaN(ms)
    ? 0
    : Math.max(0, ms * (1 - bounds.clockDrift) - bounds.clockStepMs - bounds.grainMs) * NS_PER_MS;

/** The longest that a lease of so many ms can last; ns. For ever, where its duration is not known (NaN). */
export const longest = (ms: number, bounds: ClockBounds): number =>
  Number.isNaN(ms)
    ? Number.POSITIVE_INFINITY
    : (ms * (1 + bounds.clockDrift) + bounds.clockStepMs + bounds.grainMs) * NS_PER_MS;

/** The lease that a setter sets: its own, or the grant's where it names none. NaN where neither is known. */
export function leaseMs(ops: Operations, tenure: Tenure, row: number): number {
  const own = ops.leaseMs[row]!;
  return Number.isNaN(own) ? ops.leaseMs[tenure.grant]! : own;
}

/** The grant and every heartbeat that may have acted. */
export function settersOf(ops: Operations, tenure: Tenure): number[] {
  const setters = [tenure.grant];
  for (const row of tenure.calls) {
    if (ops.op[row] !== OP.heartbeat) continue;
    if (ops.outcome[row] === OUTCOME.accepted || ops.outcome[row] === OUTCOME.info) setters.push(row);
  }
  return setters;
}
