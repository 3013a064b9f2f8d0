/** Listings of any length, read in pages: nothing is held open in between. */
import type { Entry, Item, Store } from '../store.ts';
import { entriesOf, workOf } from './facets.ts';
import { coveringPrefixes, matches, type Pattern } from './pattern.ts';

const PAGE = 500;
/** Sorts behind everything that a key may go on with. */
const LAST = '\u{10FFFF}';

/** The newest entry of each key that one of the patterns matches; of every key without patterns. */
export async function* newestEntries(store: Store, patterns?: readonly Pattern[]): AsyncGenerator<Entry> {
  const entries = entriesOf(store);
  for (const prefix of patterns === undefined ? [''] : coveringPrefixes(patterns)) {
    let after: string | undefined;
    for (;;) {
      const page = await entries.list(prefix, after === undefined ? { limit: PAGE } : { after, limit: PAGE });
      for (const entry of page) {
        if (patterns === undefined || patterns.some((pattern) => matches(pattern, entry.key))) yield entry;
      }
      after = page.at(-1)?.key;
      if (page.length < PAGE) break;
    }
  }
}

/** Every version of a key, newest first. */
export async function* versionsOf(store: Store, key: string): AsyncGenerator<Entry> {
  const entries = entriesOf(store);
  let before: number | undefined;
  for (;;) {
    const page = await entries.history(key, before === undefined ? { limit: PAGE } : { before, limit: PAGE });
    yield* page;
    before = page.at(-1)?.version;
    if (page.length < PAGE) return;
  }
}

/** Every item in key order. */
export async function* allItems(store: Store, from?: string): AsyncGenerator<Item> {
  const scan = workOf(store, 'scan');
  let after = from;
  for (;;) {
    const page = await scan(after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    yield* page;
    after = page.at(-1)?.key;
    if (page.length < PAGE) return;
  }
}

/** One item. The contract knows only pages in key order, so the page is begun just before the key. */
export async function findItem(store: Store, key: string): Promise<Item | undefined> {
  const scan = workOf(store, 'scan');
  const start = justBefore(key);
  let after = start;
  for (;;) {
    const [item] = await scan(after === undefined ? { limit: 1 } : { after, limit: 1 });
    if (item?.key === key) return item;
    // Whatever lies between the start of the page and the key begins with that start.
    if (item === undefined || start === undefined || !item.key.startsWith(start)) return undefined;
    after = item.key;
  }
}

/** A text that sorts before the key, with hardly room for another key in between. Undefined: the very start. */
function justBefore(key: string): string | undefined {
  const characters = [...key];
  const last = characters.pop()?.codePointAt(0) ?? 0;
  const stem = characters.join('');
  // NUL is no character of a key, so nothing lies between the stem and this key.
  if (last <= 1) return stem === '' ? undefined : stem;
  // Halves of surrogate pairs are no characters either.
  const before = last === 0xe000 ? 0xd7ff : last - 1;
  return stem + String.fromCodePoint(before) + LAST;
}
