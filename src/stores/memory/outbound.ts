/** Outbound entries in memory: the readable reference. */
import type { Clock } from '../../clock.ts';
import type { Ordering, OutboundEntry, OutboundStore } from '../../jobs/outbound/entry.ts';
import { isSettled, WAITING } from '../../jobs/outbound/rules.ts';
import { createMemoryJobData, createMemoryJobStore, type MemoryJobData } from './jobs.ts';

/** What handles of one store share. */
export interface MemoryOutboundData {
  /** In the order of insertion. */
  readonly entries: Map<string, OutboundEntry>;
  readonly jobs: MemoryJobData;
}

/** An empty store's content. */
export const createMemoryOutboundData = (): MemoryOutboundData => ({
  entries: new Map(),
  jobs: createMemoryJobData(),
});

/** Makes a handle. */
export function createMemoryOutboundStore(
  options: { readonly clock?: Clock; readonly data?: MemoryOutboundData } = {},
): OutboundStore {
  const { data = createMemoryOutboundData() } = options;
  const { entries } = data;
  const { sharedBy, nowMs, beat, end, instance, close } = createMemoryJobStore({
    ...options,
    data: data.jobs,
  });
  const copy = (list: readonly OutboundEntry[]) => structuredClone(list);

  function waiting(ordering: Ordering): readonly OutboundEntry[] {
    const lanes = new Set<string>();
    return [...entries.values()].filter((entry) => {
      if (isSettled(entry)) return false;
      const isHead = !lanes.has(entry.lane);
      lanes.add(entry.lane);
      return WAITING.includes(entry.state) && (ordering === 'best-effort' || isHead);
    });
  }

  return {
    sharedBy,
    nowMs,
    beat,
    end,
    instance,
    close,
    put(entry, ifRevision, by) {
      if ((entries.get(entry.key)?.revision ?? 0) !== ifRevision) return false;
      entries.set(entry.key, structuredClone(entry));
      void beat(by);
      return true;
    },
    get: (key) => copy([...entries.values()].filter((entry) => entry.key === key))[0],
    eligible: (ordering, atMs, limit) =>
      copy(
        waiting(ordering)
          .filter(({ dueAtMs }) => dueAtMs <= atMs)
          .slice(0, limit),
      ),
    nextDueMs(ordering, atMs) {
      const later = waiting(ordering).filter(({ dueAtMs }) => dueAtMs > atMs);
      return later.length === 0 ? undefined : Math.min(...later.map(({ dueAtMs }) => dueAtMs));
    },
    sending: () => copy([...entries.values()].filter(({ state }) => state === 'sending')),
    list: () => copy([...entries.values()]),
    evict({ settledBeforeMs, maxEntries }) {
      const settled = [...entries.values()]
        .filter(isSettled)
        .sort(
          (a, b) =>
            Number(b.state === 'sent') - Number(a.state === 'sent') ||
            (a.settledAtMs ?? 0) - (b.settledAtMs ?? 0),
        );
      const old = settled.filter(({ settledAtMs }) => (settledAtMs ?? 0) < settledBeforeMs);
      const young = settled.filter((entry) => !old.includes(entry));
      const most = young.slice(0, Math.max(0, entries.size - old.length - maxEntries));
      for (const { key } of [...old, ...most]) entries.delete(key);
      return old.length + most.length;
    },
  };
}
