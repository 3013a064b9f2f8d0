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
import type { Unexplained } from './entry-met.ts';
import type { KeyOrder } from './entry-order.ts';

/** A condition that certainly held. */
export interface Held extends Unexplained<EntryConflict> {
  readonly order: KeyOrder;
}

/** Accuses the calls all of whose conditions held. */
export function checkConflicts(
  history: History,
  held: readonly Held[],
  conditions: ReadonlyMap<number, number>,
  found: Tally,
): void {
  const byCall = new Map<number, Held[]>();
  for (const one of held) {
    const known = byCall.get(one.call.call);
    if (known) known.push(one);
    else byCall.set(one.call.call, [one]);
  }
  for (const [call, all] of byCall) {
    if (all.length !== conditions.get(call)) continue;
    const { call: conflict, order, before, after } = all[0]!;
    const { expected, row } = conflict;
    const version = expected === 0 ? 'be absent' : `have version ${expected}`;
    accuseEntry(history, found, {
      item: order.key.item,
      accused: row,
      beside: [before, after].flatMap((bound) => (bound ? [bound.row] : [])),
      part: 'spurious conflict (e)',
      what: `a write that asked the key to ${version} was refused as conflict, and it was so; a write from the newest version must be accepted`,
      because:
        'the key was so before this write was sent, and no call that may have changed it was sent before the refusal',
      shown: [sightOf(order.key.sights, before), sightOf(order.key.sights, after)],
    });
  }
}
