/**
 * S16: no update of an entry is lost, and reads show what was written. Its parts stand in files of their own:
 *
 *   (a) register-updates    a conditional write is accepted only from the version that it names
 *   (b) register-order      versions rise with real time;  register-updates: each is made once
 *   (c) register-values     a read shows a value that somebody wrote, under the version of that write
 *   (d) register-reads      a read shows the newest
 *   (e) register-conflicts  a conditional write is refused only when the version was another
 *   (f) register-updates, register-order    no version returns after a delete
 *   (g) register-writers    every version has a writer
 *   (h) register-together   the writes of one commit happen together
 *
 * What a commit required counts as a read of that version at the instant of the commit (register-reads); what `history`
 * showed is also judged as a whole (register-history).
 *
 * Versions order the writes of a key, so every access has an interval of versions that it can have met; each part compares
 * one pair of ends. Judged key by key, in O(n log n).
 */
import type { History } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { type Tally, tally } from './draft.ts';
import { entryAccesses } from './entry-accesses.ts';
import { metBy } from './entry-met.ts';
import { type KeyOrder, orderOf } from './entry-order.ts';
import { checkConflicts, type Held } from './register-conflicts.ts';
import { checkHistories } from './register-history.ts';
import { checkOrder } from './register-order.ts';
import { checkReads } from './register-reads.ts';
import { checkTogether } from './register-together.ts';
import { checkUpdates } from './register-updates.ts';
import { checkValues } from './register-values.ts';
import { checkWriters } from './register-writers.ts';

export function checkRegister(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S16', limit);
  const { keys, conditions } = entryAccesses(history, declares);
  const held: Held[] = [];
  const orders: KeyOrder[] = [];
  for (const key of keys) {
    found.opportunities += key.made.length + key.conflicts.length;
    for (const { kind } of key.sights) if (kind !== 'event' && kind !== 'past') found.opportunities += 1;
    const { made, perhaps, sights, conflicts: refused, pages } = key;
    if (made.length + perhaps.length + sights.length + refused.length + pages.length === 0) continue;
    const order = orderOf(key);
    checkUpdates(history, order, found);
    checkOrder(history, order, found);
    checkValues(history, order, found);
    const { absent, conflicts } = metBy(order, ({ call }) => conditions.get(call) === 1);
    checkReads(history, order, absent, declares, found);
    checkWriters(history, order, found);
    checkHistories(history, order, declares, found);
    orders.push(order);
    for (const one of conflicts) held.push({ ...one, order });
  }
  checkConflicts(history, held, conditions, found);
  checkTogether(history, orders, found);
  return found;
}
