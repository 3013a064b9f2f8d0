/** What handles of one memory store share: the rows, the events and the counts. */

import type { WorkEvent, WorkEventKind } from '../../lease/change.ts';
import type { ItemRow } from '../../lease/row.ts';
import type { RefusalCode } from '../../store.ts';

/** An event as it is kept. Ids ascend and are never reused. */
export interface StoredEvent extends WorkEvent {
  readonly id: number;
  readonly atMs: number;
  readonly key: string;
}

/** The content of a memory store. Pass one to several `createMemoryStore` calls to get several handles on it. */
export interface MemoryData {
  readonly rows: Map<string, ItemRow>;
  readonly events: StoredEvent[];
  readonly eventCounts: Map<WorkEventKind, number>;
  readonly refusals: Map<RefusalCode, number>;
  /** What the monotonic clock is to be read with; set by the first handle, as a file does it for its first opener. */
  clockOffsetMs: number | undefined;
}

/** An empty store's content. */
export function createMemoryData(): MemoryData {
  return {
    rows: new Map(),
    events: [],
    eventCounts: new Map(),
    refusals: new Map(),
    clockOffsetMs: undefined,
  };
}
