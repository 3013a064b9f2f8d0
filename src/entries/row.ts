/** One version of an entry as every store of ours keeps it, and where a key stands. Pure. */

/** Every kind of event that the entry facet writes: one for each accepted write. */
export const ENTRY_EVENT_KINDS = ['appended', 'set', 'deleted'] as const;
export type EntryEventKind = (typeof ENTRY_EVENT_KINDS)[number];

/** A version of a key. `null` stands for "none", as SQLite answers it. */
export interface EntryRow {
  readonly key: string;
  readonly version: number;
  /** JSON text; null of a deletion. */
  readonly value: string | null;
  readonly author: string;
  /** Exact up to 2^53. */
  readonly generation: number | null;
  /** On the store's clock, in ms. */
  readonly createdAtMs: number;
  readonly request: string;
}

/** Where a key stands that was written at least once. Never forgotten, so versions go on after a delete. */
export interface Head {
  readonly version: number;
  /** The newest version is not a deletion. */
  readonly live: boolean;
}

/** The version that `ifVersion` is compared with: a deleted key counts as absent, and its reader cannot tell the two apart. */
export function versionOf(head: Head | undefined): number {
  return head?.live === true ? head.version : 0;
}
