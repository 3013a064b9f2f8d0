/**
 * S22: the feed skips nothing. `feed-pages.ts` judges every page that was read; `feed-writes.ts` and `feed-items.ts` compare the
 * events with the accepted calls, `feed-order.ts` their order; each starts with its condition and its smallest violating history.
 */
import type { History } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { type Tally, tally } from './draft.ts';
import { readFrom } from './feed-coverage.ts';
import { seenEvents } from './feed-events.ts';
import { checkItems, matchItems } from './feed-items.ts';
import { judgedSince } from './feed-matches.ts';
import { outOfTime, outOfVersion } from './feed-order.ts';
import { checkPages } from './feed-pages.ts';
import { checkWrites, matchWrites } from './feed-writes.ts';

export function checkFeed(history: History, declares: Declares, limit?: number): Tally {
  const found = tally('S22', limit);
  const seen = seenEvents(history);
  checkPages(history, seen, found);
  // While the run goes on, what a call did may still be told by a page to come.
  if (!history.finalFeed || history.finalFeed.pages.length === 0) return found;
  const writes = matchWrites(history, seen, found);
  const items = matchItems(history, seen, declares, found);
  const matches = [...writes.matches, ...items.matches];
  const from = readFrom(history);
  if (from !== undefined) {
    const since = judgedSince(history, from, matches);
    checkWrites(history, writes, since, found);
    checkItems(history, items, declares, since, found);
  }
  outOfTime(history, matches, found);
  outOfVersion(history, writes.matches, found);
  return found;
}
