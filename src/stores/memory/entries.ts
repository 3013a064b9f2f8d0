/** Entries and events over plain maps. */
import type { EntryTransaction, EventRow, FeedSlice } from '../../entries/backend.ts';
import type { EntryRow } from '../../entries/row.ts';
import { compareKeys } from '../../lease/order.ts';
import type { MemoryData } from './data.ts';
import { setIn, type Undo } from './undo.ts';

/** The part of a write transaction that the entry facet adds. */
export function entryTransactionOn(
  data: MemoryData,
  undo: Undo,
): Pick<EntryTransaction, 'head' | 'put' | 'entryEvent'> {
  return {
    head: (key) => data.keys.get(key)?.head,
    put(row, keep) {
      const head = { version: row.version, live: row.value !== null };
      const kept = keep === 'latest' ? [] : (data.keys.get(row.key)?.versions ?? []);
      setIn(data.keys, row.key, { head, versions: [...kept, row] }, undo);
    },
    entryEvent(kind, { key, author, version, generation, createdAtMs }) {
      pushEvent(data, { atMs: createdAtMs, kind, key, author, version, generation }, undo);
    },
  };
}

/** Gives an event its id and counts it. */
export function pushEvent(data: MemoryData, event: Omit<EventRow, 'id'>, undo: Undo): void {
  data.lastEventId += 1;
  data.events.push({ id: data.lastEventId, ...event });
  undo.push(() => {
    data.events.pop();
    data.lastEventId -= 1;
  });
  setIn(data.eventCounts, event.kind, (data.eventCounts.get(event.kind) ?? 0) + 1, undo);
}

/** The newest version of a key that is not deleted. */
export function newest(data: MemoryData, key: string): EntryRow | undefined {
  const stored = data.keys.get(key);
  return stored?.head.live === true ? stored.versions.at(-1) : undefined;
}

/** Versions below `before`, newest first. */
export function versions(data: MemoryData, key: string, before: number, limit: number): readonly EntryRow[] {
  const all = data.keys.get(key)?.versions ?? [];
  return all
    .filter((row) => row.version < before)
    .reverse()
    .slice(0, limit);
}

/** The newest version of each live key under the prefix and behind `after`, in key order. */
export function live(
  data: MemoryData,
  prefix: string,
  after: string | undefined,
  limit: number,
): readonly EntryRow[] {
  const behind = (key: string) => after === undefined || compareKeys(key, after) > 0;
  const keys = [...data.keys.keys()].filter((key) => key.startsWith(prefix) && behind(key)).sort(compareKeys);
  return keys.flatMap((key) => newest(data, key) ?? []).slice(0, limit);
}

/** Events behind the cursor. */
export function eventsAfter(data: MemoryData, cursor: number, limit: number): FeedSlice {
  const behind = data.events.filter((event) => event.id > cursor);
  return {
    events: behind.slice(0, limit),
    oldestId: data.events[0]?.id,
    nextId: behind[0]?.id ?? data.lastEventId + 1,
  };
}

/** Drops the events below `beforeId`. What they counted is counted apart already. */
export function trim(data: MemoryData, beforeId: number): void {
  const kept = data.events.findIndex((event) => event.id >= beforeId);
  data.events.splice(0, kept === -1 ? data.events.length : kept);
}
