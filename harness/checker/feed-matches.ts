/** Which event tells of which call: the ground of what S22 says of writes and of items. Pure. */
import { FLAG, type History, OP, OUTCOME } from '../history/history.ts';
import { accuse, type Tally } from './draft.ts';
import { eventText, type SeenEvent, type SeenEvents, sameEvent } from './feed-events.ts';
import { done } from './words.ts';

/** An accepted call, and the one event of it. */
export interface Match {
  readonly row: number;
  readonly seen: SeenEvent;
}

/** Every event, once; two that carry one id (S20) both. */
export function* eachEvent({ pages, byId }: SeenEvents): Generator<SeenEvent> {
  const more = new Map<number, SeenEvent[]>();
  for (const page of pages) {
    for (const event of page.events) {
      const first = byId.get(event.id)!;
      if (sameEvent(first.event, event)) continue;
      const others = more.get(event.id) ?? [];
      if (others.some((one) => sameEvent(one.event, event))) continue;
      others.push({ event, page, kept: false });
      more.set(event.id, others);
    }
  }
  yield* byId.values();
  for (const others of more.values()) yield* others;
}

/** What was done to an entry or an item, in the past tense. */
export function doneTo(history: History, row: number): string {
  const { ops } = history;
  if (ops.op[row] !== OP.commit) return done(history, row);
  const flags = ops.flags[row]!;
  return (flags & FLAG.append) !== 0 ? 'appended' : (flags & FLAG.delete) !== 0 ? 'deleted' : 'set';
}

/**
 * Accepted calls that were sent after this instant have their event in the part that was read without a hole: ids follow
 * real time, and the event of a call that was answered before lies in that part.
 */
export function judgedSince({ ops }: History, from: number, matches: readonly Match[]): number {
  if (from <= 0) return Number.NEGATIVE_INFINITY;
  let since = Number.POSITIVE_INFINITY;
  for (const { row, seen } of matches) if (seen.event.id > from) since = Math.min(since, ops.ret[row]!);
  return since;
}

/** Whether a call must have an event that somebody has seen. */
export const mustShow = ({ ops, finalFeed }: History, row: number, since: number): boolean =>
  ops.outcome[row] === OUTCOME.accepted && ops.inv[row]! > since && ops.ret[row]! < finalFeed!.startedAt;

/** A call without an event. `what`: what it made, in words. */
export function tellMissing(history: History, row: number, what: string, found: Tally): void {
  const { ops, keys, finalFeed } = history;
  const last = finalFeed!.pages.at(-1)!;
  const at = ops.ret[last.row]!;
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: ops.item[row]!,
    accused: row,
    rows: [row, last.row],
    links: [],
    at,
    statement: `event missing: ${keys[ops.item[row]!]} was ${doneTo(history, row)}, ${what}, and no page of the feed has an event of it; every accepted change must have exactly one`,
    because: [
      'the call was accepted before the final feed was read to its end, and the part of the feed in which its event must lie was read without a gap',
    ],
    details: new Map([[last.row, `ends the final feed at cursor ${last.to}; no event of it`]]),
  }));
}

/** Two events of one change. */
export function tellTwice(
  history: History,
  first: SeenEvent,
  second: SeenEvent,
  because: string,
  found: Tally,
): void {
  const texts = [first, second].map(({ event }) => eventText(history, event)).join(' and ');
  const statement = `one change has two events: ${texts}; every accepted change must have exactly one`;
  tellPair(history, first, second, { statement, because }, found);
}

/** Two events that contradict one another, on the pages that showed them. */
export function tellPair(
  history: History,
  first: SeenEvent,
  second: SeenEvent,
  { statement, because }: { readonly statement: string; readonly because: string },
  found: Tally,
): void {
  const { ret } = history.ops;
  const at = Math.max(ret[first.page.row]!, ret[second.page.row]!);
  accuse(found, at, () => ({
    guarantee: 'S22',
    item: second.event.item,
    accused: second.page.row,
    rows: [...new Set([first.page.row, second.page.row])],
    links: [],
    at,
    statement,
    because: [because],
    details: new Map([
      [first.page.row, `shows ${eventText(history, first.event)}`],
      [second.page.row, `shows ${eventText(history, second.event)}`],
    ]),
  }));
}
