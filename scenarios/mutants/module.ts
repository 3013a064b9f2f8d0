/** The SQLite store module with lease rules replaced: what a core mutant is. */
import type { LeaseRules } from '../../src/lease/rules.ts';
import type { Store, StoreModule, StoreOptions } from '../../src/store.ts';
import { declares, destroy, fileOf, prepare } from '../../src/stores/sqlite/module.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';

/** A store module around broken rules. It declares what the sound store declares: that is the lie to be found out. */
export function mutantModule(rules: LeaseRules, wrap: (store: Store) => Store = (store) => store) {
  return {
    declares,
    prepare,
    destroy,
    async default(options: StoreOptions): Promise<Store> {
      prepare(options);
      return wrap(await createSqliteStore({ file: fileOf(options), rules }));
    },
  } satisfies StoreModule;
}
