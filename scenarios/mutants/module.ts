/** The SQLite store module with rules or statements replaced: what a core mutant is. */
import type { LeaseRules } from '../../src/lease/rules.ts';
import type { Store, StoreModule, StoreOptions } from '../../src/store.ts';
import { declares, destroy, fileOf, prepare } from '../../src/stores/sqlite/module.ts';
import { createSqliteStore, type SqliteStoreOptions } from '../../src/stores/sqlite/store.ts';

/** What a core mutant replaces. */
export type Replaced = Pick<SqliteStoreOptions, 'rules' | 'entryRules' | 'statements'>;

/** A store module around broken parts. It declares what the sound store declares: that is the lie to be found out. */
export function brokenModule(replaced: Replaced, wrap: (store: Store) => Store = (store) => store) {
  return {
    declares,
    prepare,
    destroy,
    async default(options: StoreOptions): Promise<Store> {
      prepare(options);
      return wrap(await createSqliteStore({ file: fileOf(options), ...replaced }));
    },
  } satisfies StoreModule;
}

/** One around broken lease rules. */
export const mutantModule = (rules: LeaseRules, wrap?: (store: Store) => Store) =>
  brokenModule({ rules }, wrap);
