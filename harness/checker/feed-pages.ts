/**
 * S22, pages: a follower that goes on from cursor to cursor sees every event once.
 *
 * Violated iff within one page ids do not rise, or one does not lie behind the cursor handed in; or the cursor answered lies
 * before the last event of the page or before the one handed in; or it lies at or behind an event that the page did not
 * deliver, which another page showed. A gap excuses only events that are gone: the final feed does not show them either.
 *
 *      w1   ├since 10┤ event 12, cursor 12
 *      scan                                   ├events 11, 12┤       the follower never sees 11
 */
import type { FeedRead, History } from '../history/history.ts';
import { accuse, type Tally } from './draft.ts';
import { eventText, firstAbove, pageText, type SeenEvent, type SeenEvents } from './feed-events.ts';

export function checkPages(history: History, seen: SeenEvents, found: Tally): void {
  for (const page of seen.pages) {
    found.opportunities += 1;
    if (!ordered(history, page, found)) continue;
    const skipped = firstSkipped(page, seen);
    if (skipped !== undefined) tellSkipped(history, page, skipped, found);
  }
}

/** Judges a page by itself. */
function ordered(history: History, page: FeedRead, found: Tally): boolean {
  const { row, from, to, events } = page;
  let last = from;
  for (const event of events) {
    if (event.id > last) {
      last = event.id;
      continue;
    }
    const what =
      last === from ? `the cursor ${from} that was handed in` : `event ${last}, which stands before it`;
    tell(history, page, event.item, `${eventText(history, event)} does not lie behind ${what}`, found);
    return false;
  }
  if (to < last) {
    const item = events.at(-1)?.item ?? -1;
    tell(history, page, item, `the cursor answered is ${to}, and the page goes to ${last}`, found);
    return false;
  }
  return Number.isFinite(history.ops.ret[row]!);
}

function tell(history: History, page: FeedRead, item: number, what: string, found: Tally): void {
  const at = history.ops.ret[page.row]!;
  accuse(found, at, () => ({
    guarantee: 'S22',
    item,
    accused: page.row,
    rows: [page.row],
    links: [],
    at,
    statement: `feed out of order: ${what}; a follower must see every event once, in the order of ids`,
    because: [`one page of the feed ${pageText(page)}`],
    details: new Map([[page.row, pageText(page)]]),
  }));
}

/** The first event that a page passed over and that it had no right to. */
function firstSkipped(
  { from, to, gap, events }: FeedRead,
  { ids, kept, byId }: SeenEvents,
): SeenEvent | undefined {
  const all = gap ? kept : ids;
  let next = 0;
  for (let i = firstAbove(all, from); i < all.length && all[i]! <= to; i++) {
    while (next < events.length && events[next]!.id < all[i]!) next += 1;
    if (events[next]?.id !== all[i]) return byId.get(all[i]!);
  }
  return undefined;
}

function tellSkipped(history: History, page: FeedRead, skipped: SeenEvent, found: Tally): void {
  const { ops } = history;
  const at = Math.max(ops.ret[page.row]!, ops.ret[skipped.page.row]!);
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: skipped.event.item,
    accused: page.row,
    rows: [page.row, skipped.page.row],
    links: [],
    at,
    statement: `feed skipped an event: a page behind cursor ${page.from} moved the cursor to ${page.to} without ${eventText(history, skipped.event)}; a follower must miss nothing`,
    because: [
      page.gap
        ? 'a gap was announced, and the final feed still shows the event: it was never gone'
        : 'another page shows the event, and no gap was announced',
    ],
    details: new Map([
      [page.row, pageText(page)],
      [skipped.page.row, `shows ${eventText(history, skipped.event)}`],
    ]),
  }));
}
