/** Store modules of mutants: the SQLite store with parts replaced (a core mutant), or with a wrapper around it (a decorator). */
import type { LeaseRules } from '../../src/lease/rules.ts';
import type { Store, StoreModule, StoreOptions } from '../../src/store.ts';
import * as sqlite from '../../src/stores/sqlite/module.ts';
import { createSqliteStore, type SqliteStoreOptions } from '../../src/stores/sqlite/store.ts';

const { declares, destroy, fileOf, prepare } = sqlite;

/** What a core mutant replaces. */
export type Replaced = Pick<SqliteStoreOptions, 'rules' | 'entryRules' | 'statements' | 'engine' | 'clock'>;

/** A store module around broken parts. It declares what the sound store declares: that is the lie to be found out. */
export function brokenModule(replaced: Replaced, wrap: (store: Store) => Store = (store) => store) {
  return {
    declares,
    prepare,
    destroy,
    async default(options: StoreOptions): Promise<Store> {
      prepare(options);
      return wrap(
        await createSqliteStore({ file: fileOf(options), pausePoint: options.pausePoint, ...replaced }),
      );
    },
  } satisfies StoreModule;
}

/** One around broken lease rules. */
export const mutantModule = (rules: LeaseRules, wrap?: (store: Store) => Store) =>
  brokenModule({ rules }, wrap);

/** The sound SQLite store in a wrapper that breaks it. */
export const decoratedModule = (decorate: (store: Store) => Store) => brokenModule({}, decorate);
