/** A write transaction over plain maps. Every step notes how to take it back. */
import type { EntryTransaction } from '../../entries/backend.ts';
import type { WorkTransaction } from '../../lease/backend.ts';
import { applyChange } from '../../lease/change.ts';
import { compareEligible, isEligible } from '../../lease/order.ts';
import { type ItemRow, insertedRow } from '../../lease/row.ts';
import type { MemoryData } from './data.ts';
import { entryTransactionOn, pushEvent } from './entries.ts';
import { setIn, type Undo } from './undo.ts';

/** Runs `body` on the data: all of it, or nothing when it throws. */
export function transact<T>(data: MemoryData, body: (tx: WorkTransaction & EntryTransaction) => T): T {
  const undo: Undo = [];
  try {
    return body(transactionOn(data, undo));
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function transactionOn(data: MemoryData, undo: Undo): WorkTransaction & EntryTransaction {
  function put(row: ItemRow): void {
    setIn(data.rows, row.key, row, undo);
  }
  return {
    ...entryTransactionOn(data, undo),
    find: (key) => data.rows.get(key),
    eligible(prefix, nowMs, limit) {
      const all = [...data.rows.values()];
      const found = all.filter((row) => row.key.startsWith(prefix) && isEligible(row, nowMs));
      return found.sort(compareEligible).slice(0, limit);
    },
    insert(item) {
      const row = insertedRow(data.rows.size + 1, item);
      put(row);
      return row;
    },
    apply(row, change) {
      put(applyChange(row, change));
    },
    event(key, event, nowMs) {
      pushEvent(data, { atMs: nowMs, key, version: null, ...event }, undo);
    },
    countRefusal(code) {
      setIn(data.refusals, code, (data.refusals.get(code) ?? 0) + 1, undo);
    },
  };
}
