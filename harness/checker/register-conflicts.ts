/**
 * S16 (e): a conditional write is refused as conflict only when the version was another.
 *
 * Violated iff every state that the call can have met has the version that it asked for: floor(x) = ceiling(x) - 1 = v, and no
 * call of unknown outcome can have made another version by then. Of a commit with several conditions every one must be met.
 *
 *      w1   ├set k┤ made 3
 *      w2               ├set k from 3┤ refused as conflict        nobody else wrote
 */
import type { History } from '../history/history.ts';
import type { Tally } from './draft.ts';
import type { EntryConflict } from './entry-accesses.ts';
import { accuseEntry, sightOf } from './entry-accusation.ts';
import { type KeyOrder, mayBeAbsent, mayBeLive, mayGoOn } from './entry-states.ts';

/** A condition that certainly held. */
export interface Met {
  readonly conflict: EntryConflict;
  readonly order: KeyOrder;
}

/** The conflicts of a key whose condition held throughout. */
export function metConditions(order: KeyOrder): Met[] {
  return order.key.conflicts
    .filter((conflict) => isMet(order, conflict))
    .map((conflict) => ({ conflict, order }));
}

function isMet(order: KeyOrder, { expected, inv, ret }: EntryConflict): boolean {
  const from = order.floor(inv)?.version ?? 0;
  const ceiling = order.ceiling(ret)?.version;
  const to = Math.min(order.newest, (ceiling ?? Number.POSITIVE_INFINITY) - 1);
  if (ceiling === undefined && mayGoOn(order, ret)) return false;
  if (expected > 0) return from === expected && to === expected && !mayBeAbsent(order, expected, ret);
  for (let version = from; version <= to; version++) if (mayBeLive(order, version, ret)) return false;
  return from <= to;
}

/** Accuses the calls all of whose conditions held. */
export function checkConflicts(
  history: History,
  met: readonly Met[],
  conditions: ReadonlyMap<number, number>,
  found: Tally,
): void {
  const byCall = new Map<number, Met[]>();
  for (const one of met) {
    const known = byCall.get(one.conflict.call);
    if (known) known.push(one);
    else byCall.set(one.conflict.call, [one]);
  }
  for (const [call, held] of byCall) {
    if (held.length !== conditions.get(call)) continue;
    const { conflict, order } = held[0]!;
    const { expected, inv, ret, row } = conflict;
    const before = order.floor(inv);
    const after = order.ceiling(ret);
    const version = expected === 0 ? 'be absent' : `have version ${expected}`;
    accuseEntry(history, found, {
      item: order.key.item,
      accused: row,
      beside: [before, after].flatMap((bound) => (bound ? [bound.row] : [])),
      part: 'spurious conflict (e)',
      what: `a write that asked the key to ${version} was refused as conflict, and it was so; a write from the newest version must be accepted`,
      because: `the key was so before this write was sent, and no call that may have changed it was sent before the refusal`,
      shown: [sightOf(order.key.sights, before), sightOf(order.key.sights, after)],
    });
  }
}
