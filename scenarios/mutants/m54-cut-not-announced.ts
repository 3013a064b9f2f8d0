/**
 * M54: what was trimmed is gone without a word. A follower that was away meanwhile takes the next event that is kept for the
 * next one that there was. A decorator: it needs nothing but the contract.
 */
import type { Store, StoreOptions } from '../../src/store.ts';
import * as sqlite from '../../src/stores/sqlite/module.ts';
import { bare } from './wrap.ts';

/** Wraps any store with a feed. */
export function decorate(store: Store): Store {
  const { feed } = store;
  if (feed === undefined) return store;
  return {
    ...bare(store),
    feed: {
      async since(cursor, limit) {
        const { gap: _, ...page } = await feed.since(cursor, limit);
        return page;
      },
      ...(feed.trim && { trim: (beforeId) => feed.trim!(beforeId) }),
    },
  };
}

export const { declares, prepare, destroy } = sqlite;

export default async function open(options: StoreOptions): Promise<Store> {
  return decorate(await sqlite.default(options));
}
