/**
 * The versions that calls met which name none: a read that showed no entry, a conditional write that was refused. Each must
 * have met a state that explains its answer, and none an older one than a call that was answered before it was sent.
 *
 * Least solution: in the order of their invokes each gets the lowest version that real time and its answer allow. Where that
 * is not below the ceiling nothing explains the answer. Pure.
 */
import type { EntryConflict, EntrySight } from './entry-accesses.ts';
import { type Bound, type KeyOrder, mayBeAbsent, mayBeLive, mayGoOn } from './entry-states.ts';

/** A call that no order explains, and what binds it on both sides. */
export interface Unexplained<T> {
  readonly call: T;
  readonly before: Bound | undefined;
  readonly after: Bound | undefined;
}

export interface Met {
  readonly absent: readonly Unexplained<EntrySight>[];
  readonly conflicts: readonly Unexplained<EntryConflict>[];
}

/** Longer stretches of versions are not searched: they are taken to hold what explains the call. */
const STRETCH = 10_000;

interface Placed {
  readonly bound: Bound;
  readonly ret: number;
}

/** `alone`: whether a refused write was the only condition of its commit; else another one may have been the reason. */
export function metBy(order: KeyOrder, alone: (conflict: EntryConflict) => boolean): Met {
  const absent: Unexplained<EntrySight>[] = [];
  const conflicts: Unexplained<EntryConflict>[] = [];
  const sights = order.key.sights.filter(({ current, version }) => current && version === 0);
  const calls = [...sights, ...order.key.conflicts].sort((a, b) => a.inv - b.inv);
  /** Placed calls by answer, of which those answered before an invoke bind. */
  const answered: Placed[] = [];
  let highest: Bound | undefined;
  for (const call of calls) {
    highest = take(answered, call.inv, highest);
    const fixed = order.floor(call.inv);
    const before = (highest?.version ?? 0) > (fixed?.version ?? 0) ? highest : fixed;
    const after = order.ceiling(call.ret);
    const isConflict = 'expected' in call;
    const version = lowest(order, call, before?.version ?? 0, after?.version);
    if (version === undefined) {
      if (isConflict) conflicts.push({ call, before, after });
      else absent.push({ call, before, after });
    } else if (!isConflict || alone(call)) {
      const { row, ret } = call;
      if (version > 0) answered.push({ bound: { version, row, ret, wrote: false }, ret });
    }
  }
  return { absent, conflicts };
}

/** Takes what was answered before `inv` off the list and keeps the highest of it. */
function take(answered: Placed[], inv: number, highest: Bound | undefined): Bound | undefined {
  let best = highest;
  let kept = 0;
  for (const placed of answered) {
    if (placed.ret < inv) {
      if (best === undefined || placed.bound.version > best.version) best = placed.bound;
    } else answered[kept++] = placed;
  }
  answered.length = kept;
  return best;
}

/** The lowest version from `from` on, and below the ceiling, that explains the call. */
function lowest(
  order: KeyOrder,
  call: EntrySight | EntryConflict,
  from: number,
  ceiling: number | undefined,
): number | undefined {
  const { ret } = call;
  const to = Math.min(order.newest, (ceiling ?? Number.POSITIVE_INFINITY) - 1);
  const end = Math.min(to, from + STRETCH);
  for (let version = from; version <= end; version++) if (explains(order, call, version)) return version;
  if (end < to) return end;
  // An absent key was deleted; one that is not absent was written.
  const deletes = 'expected' in call ? (call.expected === 0 ? false : undefined) : true;
  return ceiling === undefined && mayGoOn(order, ret, deletes) ? Math.max(from, order.newest + 1) : undefined;
}

/** Whether the answer fits a key that stands at this version. */
function explains(order: KeyOrder, call: EntrySight | EntryConflict, version: number): boolean {
  const { ret } = call;
  if (!('expected' in call)) return mayBeAbsent(order, version, ret);
  const { expected } = call;
  return (
    (expected !== version && mayBeLive(order, version, ret)) ||
    (expected !== 0 && mayBeAbsent(order, version, ret))
  );
}
