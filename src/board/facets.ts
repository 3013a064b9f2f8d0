/** The facets that a board needs of a store. */
import { FencepostError } from '../errors.ts';
import type { EntryStore, Feed, Store, WorkStore } from '../store.ts';

export function entriesOf(store: Store): EntryStore {
  return store.entries ?? lacks('entries');
}

export function feedOf(store: Store): Feed {
  return store.feed ?? lacks('feed');
}

/** One method of the work facet, bound. */
export function workOf<Name extends keyof WorkStore>(store: Store, name: Name): NonNullable<WorkStore[Name]> {
  const { work } = store;
  const method = work?.[name];
  if (work === undefined || method === undefined) return lacks(`work.${name}`);
  return method.bind(work) as NonNullable<WorkStore[Name]>;
}

function lacks(what: string): never {
  throw new FencepostError(
    'STORE_LACKS',
    `Expected a store with \`${what}\`, got one without. The call had no effect: use a store that has it.`,
    { definite: true },
  );
}
