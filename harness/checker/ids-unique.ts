/**
 * S20: the ids that a store gives to events are whole numbers above 0, and no id is given out twice.
 *
 * Violated iff two pages show one id with two different events, one page shows an id twice with different events, or an id
 * is no whole number above 0.
 *
 *      w1   ├since 9┤  event 10: set a, version 3
 *      w2                  ├since 9┤  event 10: set b, version 7      the id came back after a trim
 */
import type { FeedEvent, FeedRead, History } from '../history/history.ts';
import { accuse, type Tally, tally } from './draft.ts';
import { eventText, pageText, sameEvent } from './feed-events.ts';

export function checkIds(history: History, limit?: number): Tally {
  const found = tally('S20', limit);
  const first = new Map<number, { readonly event: FeedEvent; readonly page: FeedRead }>();
  const told = new Set<number>();
  for (const page of [...history.feed, ...(history.finalFeed?.pages ?? [])]) {
    for (const event of page.events) {
      const known = first.get(event.id);
      if (known === undefined) {
        first.set(event.id, { event, page });
        found.opportunities += 1;
        if (!Number.isSafeInteger(event.id) || event.id <= 0) notWhole(history, page, event, found);
      } else if (!sameEvent(known.event, event) && !told.has(event.id)) {
        told.add(event.id);
        twice(history, known, { event, page }, found);
      }
    }
  }
  return found;
}

function notWhole(history: History, page: FeedRead, event: FeedEvent, found: Tally): void {
  const at = history.ops.ret[page.row]!;
  accuse(found, at, () => ({
    guarantee: 'S20',
    item: event.item,
    accused: page.row,
    rows: [page.row],
    links: [],
    at,
    statement: `the feed showed an event of ${history.keys[event.item]} under the id ${event.id}; an id must be a whole number above 0`,
    because: ['a cursor is compared with it, and starts at 0'],
    details: new Map([[page.row, pageText(page)]]),
  }));
}

interface Shown {
  readonly event: FeedEvent;
  readonly page: FeedRead;
}

function twice(history: History, a: Shown, b: Shown, found: Tally): void {
  const { ret } = history.ops;
  const [first, second] = ret[a.page.row]! <= ret[b.page.row]! ? [a, b] : [b, a];
  const at = ret[second.page.row]!;
  accuse(found, at, () => ({
    guarantee: 'S20',
    item: second.event.item,
    accused: second.page.row,
    rows: [...new Set([first.page.row, second.page.row])],
    links: [],
    at,
    statement: `one id was given to two events: ${eventText(history, first.event)} and ${eventText(history, second.event)}; an id must never be given out twice`,
    because: ['a follower whose cursor has passed the first never sees the second'],
    details: new Map([
      [first.page.row, `shows ${eventText(history, first.event)}`],
      [second.page.row, `shows ${eventText(history, second.event)}`],
    ]),
  }));
}
