/** Every event that a page of the feed showed, by id. The ground of S20 and S22; pure. */
import type { FeedEvent, FeedRead, History } from '../history/history.ts';

/** An event and the page that showed it first. */
export interface SeenEvent {
  readonly event: FeedEvent;
  readonly page: FeedRead;
  /** The final feed shows it: it was never gone. */
  readonly kept: boolean;
}

export interface SeenEvents {
  /** All pages: those of the workers, then those of the final read. */
  readonly pages: readonly FeedRead[];
  readonly byId: ReadonlyMap<number, SeenEvent>;
  /** Ids, ascending; and those that the final feed shows. */
  readonly ids: readonly number[];
  readonly kept: readonly number[];
}

export function seenEvents({ feed, finalFeed }: History): SeenEvents {
  const pages = [...feed, ...(finalFeed?.pages ?? [])];
  const byId = new Map<number, SeenEvent>();
  const kept: number[] = [];
  for (const page of finalFeed?.pages ?? []) {
    for (const event of page.events) {
      if (byId.has(event.id)) continue;
      byId.set(event.id, { event, page, kept: true });
      kept.push(event.id);
    }
  }
  for (const page of feed) {
    for (const event of page.events) {
      if (!byId.has(event.id)) byId.set(event.id, { event, page, kept: false });
    }
  }
  const ascending = (a: number, b: number): number => a - b;
  return { pages, byId, ids: [...byId.keys()].sort(ascending), kept: kept.sort(ascending) };
}

/** Index of the first id above `id`. */
export function firstAbove(ids: readonly number[], id: number): number {
  let low = 0;
  let high = ids.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! <= id) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether two sights of one id show the same event. */
export const sameEvent = (a: FeedEvent, b: FeedEvent): boolean =>
  a.kind === b.kind &&
  a.item === b.item &&
  Object.is(a.version, b.version) &&
  Object.is(a.generation, b.generation);

/** `event 12 (set k, version 4)`. */
export function eventText({ keys, generationText }: History, event: FeedEvent): string {
  const { id, kind, item, version, generation } = event;
  const made = Number.isNaN(version) ? '' : `, version ${version}`;
  const under = Number.isNaN(generation) ? '' : `, generation ${generationText(generation)}`;
  return `event ${id} (${kind} ${keys[item]}${made}${under})`;
}

/** `answers events 3 to 7 behind cursor 2`. */
export function pageText({ from, to, gap, events }: FeedRead): string {
  const first = events[0];
  const what =
    first === undefined
      ? 'answers no event'
      : `answers ${events.length === 1 ? `event ${first.id}` : `events ${first.id} to ${events.at(-1)!.id}`}`;
  return `${what} behind cursor ${from}, cursor ${to}${gap ? ', gap announced' : ''}`;
}
