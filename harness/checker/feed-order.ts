/**
 * S22, order: ids of events follow the effects.
 *
 * Violated iff acc(x) < acc(y) and the event of x has the higher id; or x made the lower version of a key than y; or, of one item
 * with ascending generations, the event of a later grant has a lower id than that of an earlier one, or the end of a lease a
 * lower id than its grant.
 *
 *      w1   ├set k┤                   event 2
 *      w2            ├claim i┤        event 1
 */
import type { History } from '../history/history.ts';
import { accuse, type Tally } from './draft.ts';
import { eventText, type SeenEvent } from './feed-events.ts';
import { type Match, tellPair } from './feed-matches.ts';

/** Real time against ids: the greatest id of the calls that were answered before. */
export function outOfTime(history: History, matches: readonly Match[], found: Tally): void {
  const { ops } = history;
  const answered = [...matches].sort((a, b) => ops.ret[a.row]! - ops.ret[b.row]!);
  const sent = [...matches].sort((a, b) => ops.inv[a.row]! - ops.inv[b.row]!);
  let greatest: Match | undefined;
  let next = 0;
  for (const one of sent) {
    for (; next < answered.length && ops.ret[answered[next]!.row]! < ops.inv[one.row]!; next++) {
      const before = answered[next]!;
      if (greatest === undefined || before.seen.event.id > greatest.seen.event.id) greatest = before;
    }
    if (greatest && greatest.seen.event.id > one.seen.event.id)
      tellOrder(history, greatest, one, 'the first was answered before the second was sent', found);
  }
}

/** Versions against ids, key by key. */
export function outOfVersion(history: History, matches: readonly Match[], found: Tally): void {
  const { ops } = history;
  const version = ({ row }: Match): number => ops.version[row]!;
  const byKey = [...matches].sort((a, b) => ops.item[a.row]! - ops.item[b.row]! || version(a) - version(b));
  byKey.forEach((one, i) => {
    const before = byKey[i - 1];
    if (!before || ops.item[before.row] !== ops.item[one.row] || version(before) === version(one)) return;
    // Where real time orders them too it was told.
    if (before.seen.event.id > one.seen.event.id && !(ops.ret[before.row]! < ops.inv[one.row]!))
      tellOrder(history, before, one, 'the first made the lower version of the key', found);
  });
}

function tellOrder(history: History, first: Match, second: Match, because: string, found: Tally): void {
  const { ops } = history;
  const at = Math.max(ops.ret[second.row]!, ops.ret[first.seen.page.row]!, ops.ret[second.seen.page.row]!);
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: ops.item[second.row]!,
    accused: second.row,
    rows: [first.row, second.row],
    links: [],
    at,
    statement: `events out of order: ${eventText(history, first.seen.event)} has a higher id than ${eventText(history, second.seen.event)}, whose call came later; ids must follow the effects`,
    because: [because],
  }));
}

/** Two events of one item that can only have happened the other way round. */
export function tellItemOrder(
  history: History,
  first: SeenEvent,
  second: SeenEvent,
  because: string,
  found: Tally,
): void {
  const statement = `events out of order: ${eventText(history, first.event)} has a higher id than ${eventText(history, second.event)}, which came later; ids must follow the effects`;
  tellPair(history, first, second, { statement, because }, found);
}
