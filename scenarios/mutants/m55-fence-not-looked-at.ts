/** M55: a write never looks at the lease that it names. Whoever lost its item goes on writing what it had. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { withEntries } from './wrap.ts';

/** Wraps any store of entries: the lease of a write never reaches it. */
export function decorate(store: Store): Store {
  return withEntries(store, ({ commit }) => ({
    commit: (writes, options) =>
      commit(
        writes.map(({ fence: _, ...write }) => write),
        options,
      ),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
