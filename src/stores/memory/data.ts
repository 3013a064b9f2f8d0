/** What handles of one memory store share: the rows, the events and the counts. */

import type { EventRow } from '../../entries/backend.ts';
import type { EntryRow, Head } from '../../entries/row.ts';
import type { ItemRow } from '../../lease/row.ts';
import type { RefusalCode } from '../../store.ts';

/** A key that was written: where it stands, and its versions in ascending order, as far as they are kept. */
export interface StoredKey {
  readonly head: Head;
  readonly versions: readonly EntryRow[];
}

/** The content of a memory store. Pass one to several `createMemoryStore` calls to get several handles on it. */
export interface MemoryData {
  readonly rows: Map<string, ItemRow>;
  /** In ascending id; trimming takes from the front. */
  readonly events: EventRow[];
  /** Id of the event that was written last; trimmed or not, it is not given out again. */
  lastEventId: number;
  /** Trimmed events are counted too. */
  readonly eventCounts: Map<string, number>;
  readonly keys: Map<string, StoredKey>;
  readonly refusals: Map<RefusalCode, number>;
  /** What the monotonic clock is to be read with; set by the first handle, as a file does it for its first opener. */
  clockOffsetMs: number | undefined;
}

/** An empty store's content. */
export function createMemoryData(): MemoryData {
  return {
    rows: new Map(),
    events: [],
    lastEventId: 0,
    eventCounts: new Map(),
    keys: new Map(),
    refusals: new Map(),
    clockOffsetMs: undefined,
  };
}
