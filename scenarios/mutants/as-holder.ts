/**
 * Completes an item in the name of whoever holds it, where a scan tells who that is: so a fence can be taken off a store that
 * one cannot look into. It works where the token is the text of the generation, as in the stores of this package.
 */
import type { Item, Lease, Store, WorkStore } from '../../src/store.ts';
import { withWork } from './wrap.ts';

const PAGE = 500;

/** Wraps any store with `scan`. A refused complete is tried again with the holder's lease, where `allowed` says so. */
export function completingAsHolder(store: Store, allowed: (holder: Item, lease: Lease) => boolean): Store {
  return withWork(store, ({ complete, scan }) => ({
    ...(complete &&
      scan && {
        async complete(lease, call) {
          const answer = await complete(lease, call);
          if (answer.accepted) return answer;
          const item = await itemAt(scan, lease.key);
          if (item?.state !== 'leased' || item.generation === undefined || !allowed(item, lease))
            return answer;
          const { generation, owner = lease.owner } = item;
          return complete({ ...lease, token: String(generation), generation, owner }, call);
        },
      }),
  }));
}

/** One item of the scan: pages come in key order, so the search begins just before its key. */
async function itemAt(scan: NonNullable<WorkStore['scan']>, key: string): Promise<Item | undefined> {
  for (let after = key.slice(0, -1); ; ) {
    const page = await scan({ ...(after === '' ? {} : { after }), limit: PAGE });
    const found = page.find((item) => item.key === key);
    const last = page.at(-1);
    if (found !== undefined || last === undefined || page.length < PAGE) return found;
    after = last.key;
  }
}
