/**
 * S22: the feed skips nothing. `feed-pages.ts` judges every page that was read, `feed-writes.ts` the final feed against the
 * accepted writes; each starts with its condition and its smallest violating history.
 */
import type { History } from '../history/history.ts';
import { type Tally, tally } from './draft.ts';
import { seenEvents } from './feed-events.ts';
import { checkPages } from './feed-pages.ts';
import { checkWriteEvents } from './feed-writes.ts';

export function checkFeed(history: History, limit?: number): Tally {
  const found = tally('S22', limit);
  checkPages(history, seenEvents(history), found);
  checkWriteEvents(history, found);
  return found;
}
