/** Reading: everyone reads everything. */
import type { Entry, FeedPage } from '../store.ts';
import { entriesOf, feedOf } from './facets.ts';
import { newestEntries } from './pages.ts';
import { parsePattern } from './pattern.ts';
import type { Scope } from './scope.ts';
import { checkWhole } from './validate.ts';

const HISTORY_LIMIT = 50;
const FEED_LIMIT = 1000;

/** The versions of a key, newest first. */
export async function history(
  scope: Scope,
  key: string,
  page: { readonly before?: number; readonly limit?: number },
): Promise<readonly Entry[]> {
  const limit = checkWhole('limit', page.limit ?? HISTORY_LIMIT, 1);
  const before = page.before === undefined ? {} : { before: checkWhole('before', page.before, 1) };
  return entriesOf(scope.store).history(key, { limit, ...before });
}

/** Keys in key order. */
export async function keys(scope: Scope, pattern: string | undefined): Promise<readonly string[]> {
  const patterns = pattern === undefined ? undefined : [parsePattern('pattern', pattern)];
  const found: string[] = [];
  for await (const entry of newestEntries(scope.store, patterns)) found.push(entry.key);
  return found;
}

/** Events behind a cursor. */
export async function since(scope: Scope, cursor: number, limit = FEED_LIMIT): Promise<FeedPage> {
  return feedOf(scope.store).since(checkWhole('cursor', cursor, 0), checkWhole('limit', limit, 1));
}
