/**
 * M30: the id of an event is taken before its transaction, so a slow committer's event appears behind younger ones with
 * higher ids, and a follower has passed it by then. Shown from the reader's side, where the fault is seen: one event in
 * twenty comes into sight late, as if its transaction had taken so long. A decorator: it needs nothing but the contract.
 */
import type { Event, Feed, FeedPage, Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { bare } from './wrap.ts';

/** One event in so many is a slow committer's. */
const SLOW_EVERY = 20;
/** How long its transaction takes. */
const COMMIT_MS = 40;

/** Wraps any store with a feed. */
export function decorate(store: Store): Store {
  const { feed } = store;
  if (feed === undefined) return store;
  const isCommitted = ({ id, atMs }: Event, nowMs: number): boolean =>
    id % SLOW_EVERY !== 0 || nowMs - atMs >= COMMIT_MS;
  const late: Feed = {
    ...(feed.trim && { trim: (beforeId) => feed.trim!(beforeId) }),
    async since(cursor, limit): Promise<FeedPage> {
      const page = await feed.since(cursor, limit);
      const nowMs = await store.nowMs();
      const events = page.events.filter((event) => isCommitted(event, nowMs));
      if (events.length === page.events.length) return page;
      return { ...page, events, cursor: events.at(-1)?.id ?? cursor };
    },
  };
  return { ...bare(store), feed: late };
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
