/** For stores whose claims look at other items than those that are due, first come, first served. */
import type { ReplaceEngine, SqliteTransaction } from '../../src/stores/sqlite/backend.ts';

type Eligible = SqliteTransaction['eligible'];

/** An engine whose claims are offered what `offer` makes of the store's own read of items that are eligible. */
export const offering =
  (offer: (own: Eligible) => Eligible): ReplaceEngine =>
  (own) => ({
    ...own,
    write: (patience, body) =>
      own.write(patience, (tx, nowMs) =>
        body({ ...tx, eligible: offer((prefix, atMs, limit) => tx.eligible(prefix, atMs, limit)) }, nowMs),
      ),
  });
