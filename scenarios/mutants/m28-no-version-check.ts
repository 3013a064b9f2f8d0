/** M28: a write never looks at the version that it names. Read, modify, write, and whoever wrote in between is gone. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { withEntries } from './wrap.ts';

/** Wraps any store of entries: what a write expects never reaches it. */
export function decorate(store: Store): Store {
  return withEntries(store, ({ commit }) => ({
    commit: (writes) => commit(writes.map(({ ifVersion: _, ...write }) => write)),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
