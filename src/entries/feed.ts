/** The feed, written once for every engine: pages of events, and the announcement of what is gone. */
import { mapAwaitable } from '../lease/awaitable.ts';
import { checkInteger } from '../lease/validate.ts';
import type { Feed, FeedPage } from '../store.ts';
import { eventOf } from './answer.ts';
import type { FeedBackend, FeedSlice } from './backend.ts';

/** The feed over an engine. Answers at once wherever the engine does. */
export function createFeed(backend: FeedBackend): Required<Feed> {
  return {
    since(cursor, limit) {
      checkInteger('cursor', cursor, 0);
      checkInteger('limit', limit, 0);
      return mapAwaitable(backend.eventsAfter(cursor, limit), (slice) => pageOf(cursor, slice));
    },
    trim(beforeId) {
      checkInteger('beforeId', beforeId, 0);
      return backend.trim(beforeId);
    },
  };
}

/**
 * Ids have no gaps when they are given out (a rolled-back transaction takes its ids back), so a next id that is not the one
 * behind the cursor means that what lay between was trimmed.
 */
function pageOf(cursor: number, { events, oldestId, nextId }: FeedSlice): FeedPage {
  const gap = nextId > cursor + 1;
  return {
    events: events.map(eventOf),
    cursor: events.at(-1)?.id ?? (gap ? nextId - 1 : cursor),
    ...(oldestId === undefined ? {} : { oldestId }),
    ...(gap ? { gap } : {}),
  };
}
