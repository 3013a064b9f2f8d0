/** M31: a claim takes the row out of the table and keeps it in the memory of its process. With the process the item is gone. */
import { applyChange } from '../../src/lease/change.ts';
import type { ItemRow } from '../../src/lease/row.ts';
import type { ReplaceEngine, SqliteTransaction } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';

export const deletingClaims: ReplaceEngine = (own, run) => {
  /** What this process has taken out, by key. */
  const taken = new Map<string, ItemRow>();
  const putBack = (tx: SqliteTransaction, row: ItemRow): ItemRow => {
    const { generation, attempts, owner, acquiredAtMs, leaseMs, ...item } = row;
    const made = tx.insert(item);
    const grant = {
      kind: 'granted',
      generation,
      attempts,
      owner: owner ?? '',
      acquiredAtMs: acquiredAtMs ?? 0,
      expiresAtMs: row.expiresAtMs ?? 0,
      leaseMs: leaseMs ?? 0,
      grant: 'fresh',
      events: [],
    } as const;
    tx.apply(made, grant);
    return { ...row, id: made.id };
  };
  return {
    ...own,
    write: (patience, body) =>
      own.write(patience, (tx, nowMs) =>
        body(
          {
            ...tx,
            find: (key) => tx.find(key) ?? taken.get(key),
            apply(row, change) {
              if (change.kind === 'granted') {
                tx.apply(row, change);
                taken.set(row.key, applyChange(row, change));
                run(`DELETE FROM items WHERE id = ${row.id}`);
              } else if (change.kind === 'extended') {
                taken.set(row.key, applyChange(row, change));
              } else {
                taken.delete(row.key);
                tx.apply(putBack(tx, row), change);
              }
            },
          },
          nowMs,
        ),
      ),
  };
};

const mutant = brokenModule({ engine: deletingClaims });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
