/**
 * Stands around any store through its public interface. A store may be an object of a class, whose methods must be called
 * on it: a spread would lose them.
 */
import type { EntryStore, Store, WorkStore } from '../../src/store.ts';

const METHODS = [
  'enqueue',
  'claim',
  'claimNext',
  'heartbeat',
  'complete',
  'nack',
  'release',
  'forceRelease',
  'scan',
] as const satisfies readonly (keyof WorkStore)[];

/** The same store with some methods of its work facet replaced. `change` gets the methods that are there, bound. */
export function withWork(store: Store, change: (work: WorkStore) => WorkStore): Store {
  const { work } = store;
  if (work === undefined) return store;
  const methods = boundMethods(work);
  return { ...bare(store), work: { ...methods, ...change(methods) } };
}

/** The same store with some methods of its entry facet replaced. */
export function withEntries(store: Store, change: (entries: EntryStore) => Partial<EntryStore>): Store {
  const { entries } = store;
  if (entries === undefined) return store;
  const methods: EntryStore = {
    get: (key) => entries.get(key),
    commit: (writes, options) => entries.commit(writes, options),
    history: (key, page) => entries.history(key, page),
    list: (prefix, page) => entries.list(prefix, page),
  };
  return { ...bare(store), entries: { ...methods, ...change(methods) } };
}

/** A store whose closing has to wait for something of the wrapper's. */
export function closingAfter(store: Store, settle: () => Promise<void>): Store {
  return {
    ...bare(store),
    async close() {
      await settle();
      await store.close();
    },
  };
}

/** Every part of a store, so that a part can be put in its place. */
export function bare(store: Store): Store {
  const { work, entries, feed } = store;
  return {
    nowMs: () => store.nowMs(),
    close: () => store.close(),
    ...(work && { work }),
    ...(entries && { entries }),
    ...(feed && { feed }),
    ...(store.counters && { counters: () => store.counters!() }),
  };
}

function boundMethods(work: WorkStore): WorkStore {
  const present = METHODS.filter((name) => typeof work[name] === 'function');
  return Object.fromEntries(present.map((name) => [name, work[name]!.bind(work)]));
}
