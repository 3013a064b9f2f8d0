/** A write transaction over plain maps. Every step notes how to take it back. */
import type { WorkTransaction } from '../../lease/backend.ts';
import { applyChange } from '../../lease/change.ts';
import { compareEligible, isEligible } from '../../lease/order.ts';
import { type ItemRow, insertedRow } from '../../lease/row.ts';
import type { MemoryData } from './data.ts';

/** Runs `body` on the data: all of it, or nothing when it throws. */
export function transact<T>(data: MemoryData, body: (tx: WorkTransaction) => T): T {
  const undo: (() => void)[] = [];
  try {
    return body(transactionOn(data, undo));
  } catch (error) {
    for (const step of undo.reverse()) step();
    throw error;
  }
}

function transactionOn(data: MemoryData, undo: (() => void)[]): WorkTransaction {
  function put(row: ItemRow): void {
    set(data.rows, row.key, row, undo);
  }
  return {
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
      data.events.push({ id: data.events.length + 1, atMs: nowMs, key, ...event });
      undo.push(() => data.events.pop());
      set(data.eventCounts, event.kind, (data.eventCounts.get(event.kind) ?? 0) + 1, undo);
    },
    countRefusal(code) {
      set(data.refusals, code, (data.refusals.get(code) ?? 0) + 1, undo);
    },
  };
}

function set<K, V>(map: Map<K, V>, key: K, value: V, undo: (() => void)[]): void {
  const before = map.get(key);
  undo.push(() => {
    if (before === undefined) map.delete(key);
    else map.set(key, before);
  });
  map.set(key, value);
}
