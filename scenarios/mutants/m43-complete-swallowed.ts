/**
 * M43: a complete under a superseded lease does nothing and is answered as accepted. A decorator: it needs nothing but
 * the contract, so it can stand around anybody's store.
 */

import type { Store, StoreOptions } from '../../src/store.ts';
import * as sqlite from '../../src/stores/sqlite/module.ts';

/** Wraps any store. */
export function swallowStaleCompletes(store: Store): Store {
  const { work } = store;
  const complete = work?.complete?.bind(work);
  if (work === undefined || complete === undefined) return store;
  return {
    nowMs: () => store.nowMs(),
    ...(store.counters === undefined ? {} : { counters: () => store.counters?.() ?? {} }),
    close: () => store.close(),
    work: {
      ...work,
      async complete(lease, call) {
        const answer = await complete(lease, call);
        const swallowed = !answer.accepted && answer.refusal.code === 'stale';
        return swallowed ? { accepted: true, value: undefined } : answer;
      },
    },
  };
}

export const { declares, prepare, destroy } = sqlite;

export default async function open(options: StoreOptions): Promise<Store> {
  return swallowStaleCompletes(await sqlite.default(options));
}
