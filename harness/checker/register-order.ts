/**
 * S16 (b), (f): versions rise with real time.
 *
 * Violated iff acc(w1) < acc(w2) on one key and ver(w1) > ver(w2); told as (f) where w1 is, or follows, a deletion that
 * carries the higher version.
 *
 *      w1   ├delete k┤ made 3
 *      w2                  ├set k┤ made 1        versions began anew
 */
import type { History } from '../history/history.ts';
import type { Tally } from './draft.ts';
import { accuseEntry, requestText } from './entry-accusation.ts';
import type { KeyOrder } from './entry-order.ts';
import { duration } from './words.ts';

export function checkOrder(history: History, order: KeyOrder, found: Tally): void {
  const { key, floor } = order;
  for (const write of key.made) {
    const before = floor(write.inv, true);
    if (before === undefined || before.version <= write.version) continue;
    const { version, row } = write;
    const deletion = key.made.find(
      (one) => one.deletes && one.version > version && one.ret < write.inv && one.row !== before.row,
    );
    const isDelete = key.made.some((one) => one.row === before.row && one.deletes);
    accuseEntry(history, found, {
      item: key.item,
      accused: row,
      beside: deletion ? [before.row, deletion.row] : [before.row],
      part: isDelete || deletion ? 'version returned after a delete (f)' : 'versions out of order (b)',
      what: `a write made version ${version} after another one had made version ${before.version}; versions must rise`,
      because: `request ${requestText(history, before.row)} was answered with version ${before.version} ${duration(write.inv - before.ret)} before this write was sent`,
    });
  }
}
