/**
 * S22, events: every accepted write has exactly one event in the final feed, in the order of the writes.
 *
 * Violated iff the complete final feed, read after the write was accepted, lacks an event of its key and version and
 * announced no gap; or shows two of them; or acc(w1) < acc(w2), or w1 made the lower version of the same key, and the event
 * of w1 has the higher id. Judged by the versions of entries: events that carry none excuse what is missing on their key.
 *
 *      w1   ├set k┤ made 4
 *      scan                  ├ events …, none of them k version 4 ┤
 */
import { type FeedRead, FLAG, type History, OP, OUTCOME } from '../history/history.ts';
import { accuse, type Tally } from './draft.ts';
import { eventText, pageText, type SeenEvent } from './feed-events.ts';

interface MadeEvent {
  /** Row of the write. */
  readonly row: number;
  readonly version: number;
  readonly seen: SeenEvent;
}

export function checkWriteEvents(history: History, found: Tally): void {
  const { ops, finalFeed } = history;
  if (!finalFeed || finalFeed.pages.length === 0) return;
  const { events, unnamed } = byVersion(history, finalFeed.pages, found);
  const { pages, complete } = finalFeed;
  const whole = complete && pages[0]!.from === 0 && !pages.some(({ gap }) => gap);
  const matched: MadeEvent[] = [];
  for (let row = 0; row < ops.length; row++) {
    const version = ops.version[row]!;
    const item = ops.item[row]!;
    if (
      ops.op[row] !== OP.commit ||
      ops.outcome[row] !== OUTCOME.accepted ||
      item < 0 ||
      Number.isNaN(version)
    )
      continue;
    const seen = events.get(item)?.get(version);
    if (seen) matched.push({ row, version, seen });
    if (!whole || events.size === 0 || !(ops.ret[row]! < finalFeed.startedAt)) continue;
    found.opportunities += 1;
    if (seen === undefined && !unnamed.has(item)) missing(history, row, finalFeed.pages, found);
  }
  outOfTime(history, matched, found);
  outOfVersion(history, matched, found);
}

/** Events of the final feed by key and version; tells of those that are there twice. */
function byVersion(history: History, pages: readonly FeedRead[], found: Tally) {
  const events = new Map<number, Map<number, SeenEvent>>();
  /** Keys with an event that names no version. */
  const unnamed = new Set<number>();
  for (const page of pages) {
    for (const event of page.events) {
      if (Number.isNaN(event.version)) {
        unnamed.add(event.item);
        continue;
      }
      const own = events.get(event.item) ?? new Map<number, SeenEvent>();
      events.set(event.item, own);
      const first = own.get(event.version);
      if (first === undefined) own.set(event.version, { event, page, kept: true });
      else if (first.event.id !== event.id) twice(history, first, { event, page, kept: true }, found);
    }
  }
  return { events, unnamed };
}

function twice(history: History, first: SeenEvent, second: SeenEvent, found: Tally): void {
  const at = history.ops.ret[second.page.row]!;
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: second.event.item,
    accused: second.page.row,
    rows: [...new Set([first.page.row, second.page.row])],
    links: [],
    at,
    statement: `one write has two events: ${eventText(history, first.event)} and ${eventText(history, second.event)}; every write must have exactly one`,
    because: ['a version of a key is made by one write'],
    details: new Map([
      [first.page.row, `shows ${eventText(history, first.event)}`],
      [second.page.row, `shows ${eventText(history, second.event)}`],
    ]),
  }));
}

function missing(history: History, row: number, pages: readonly FeedRead[], found: Tally): void {
  const { ops, keys } = history;
  const last = pages.at(-1)!;
  const at = ops.ret[last.row]!;
  const flags = ops.flags[row]!;
  const done = (flags & FLAG.append) !== 0 ? 'appended' : (flags & FLAG.delete) !== 0 ? 'deleted' : 'set';
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: ops.item[row]!,
    accused: row,
    rows: [row, last.row],
    links: [],
    at,
    statement: `event missing: ${keys[ops.item[row]!]} was ${done}, which made version ${ops.version[row]}, and the final feed has no event of it; every write must have exactly one`,
    because: ['the write was accepted before the final feed was read to its end, and no gap was announced'],
    details: new Map([[last.row, `${pageText(last)}; none of its kind`]]),
  }));
}

/** Real time against ids: the greatest id of the writes that were answered before. */
function outOfTime(history: History, matched: readonly MadeEvent[], found: Tally): void {
  const { ops } = history;
  const answered = [...matched].sort((a, b) => ops.ret[a.row]! - ops.ret[b.row]!);
  const sent = [...matched].sort((a, b) => ops.inv[a.row]! - ops.inv[b.row]!);
  let greatest: MadeEvent | undefined;
  let next = 0;
  for (const one of sent) {
    for (; next < answered.length && ops.ret[answered[next]!.row]! < ops.inv[one.row]!; next++) {
      const before = answered[next]!;
      if (greatest === undefined || before.seen.event.id > greatest.seen.event.id) greatest = before;
    }
    if (greatest && greatest.seen.event.id > one.seen.event.id) {
      tellOrder(history, greatest, one, 'the first was answered before the second was sent', found);
    }
  }
}

/** Versions against ids, key by key. */
function outOfVersion(history: History, matched: readonly MadeEvent[], found: Tally): void {
  const { ops } = history;
  const byKey = [...matched].sort((a, b) => ops.item[a.row]! - ops.item[b.row]! || a.version - b.version);
  byKey.forEach((one, i) => {
    const before = byKey[i - 1];
    if (!before || ops.item[before.row] !== ops.item[one.row] || before.version === one.version) return;
    // Where real time orders them too it was told.
    if (before.seen.event.id > one.seen.event.id && !(ops.ret[before.row]! < ops.inv[one.row]!))
      tellOrder(history, before, one, 'the first made the lower version of the key', found);
  });
}

function tellOrder(
  history: History,
  first: MadeEvent,
  second: MadeEvent,
  because: string,
  found: Tally,
): void {
  const { ops } = history;
  const at = Math.max(ops.ret[second.row]!, ops.ret[first.seen.page.row]!, ops.ret[second.seen.page.row]!);
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: ops.item[second.row]!,
    accused: second.row,
    rows: [first.row, second.row],
    links: [],
    at,
    statement: `events out of order: ${eventText(history, first.seen.event)} has a higher id than ${eventText(history, second.seen.event)}, whose write came later; ids must follow the writes`,
    because: [because],
  }));
}
