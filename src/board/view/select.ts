/** Which entries a worker is shown: what others wrote under its patterns. */
import type { Entry, Store } from '../../store.ts';
import { newestEntries, versionsOf } from '../pages.ts';
import { matches } from '../pattern.ts';
import type { ViewPlan } from './options.ts';

/** Entries of one append-only key that one view reads. What lies further back is counted by its version number. */
const READ_MAX = 10_000;

/** What there is to show. */
export interface Selection {
  /** All of them are shown. Newest first. */
  readonly pinned: readonly Entry[];
  /** Newest first: as many as could fit, or more. */
  readonly recent: readonly Entry[];
  /** Entries that are older than `recent`. */
  readonly older: number;
  /** False: `older` may count some that the worker wrote itself. */
  readonly exact: boolean;
}

/** The board as a view needs it. */
export interface ViewSource {
  readonly store: Store;
  /** Whether every entry of a key counts, not only the newest. */
  readonly keepsAll: (key: string) => boolean;
}

/** Reads what others wrote. The limit of memory is the plan's: no more entries of a key are kept than could be shown. */
export async function select(
  { store, keepsAll }: ViewSource,
  worker: string,
  plan: ViewPlan,
): Promise<Selection> {
  const pinned: Entry[] = [];
  const recent: Entry[] = [];
  let older = 0;
  let exact = true;
  for await (const newest of newestEntries(store, [...plan.subscribe, ...plan.pinned])) {
    const isPinned = plan.pinned.some((pattern) => matches(pattern, newest.key));
    const most = isPinned ? READ_MAX : plan.linesMax;
    const found = keepsAll(newest.key)
      ? await othersOf(store, newest.key, worker, most)
      : { entries: newest.author === worker ? [] : [newest], older: 0, exact: true };
    (isPinned ? pinned : recent).push(...found.entries);
    older += found.older;
    exact &&= found.exact;
  }
  return { pinned: pinned.sort(newestFirst), recent: recent.sort(newestFirst), older, exact };
}

async function othersOf(store: Store, key: string, worker: string, most: number) {
  const entries: Entry[] = [];
  let older = 0;
  let read = 0;
  for await (const entry of versionsOf(store, key)) {
    if (read === READ_MAX) return { entries, older: older + entry.version, exact: false };
    read += 1;
    if (entry.author === worker || entry.deleted) continue;
    if (entries.length < most) entries.push(entry);
    else older += 1;
  }
  return { entries, older, exact: true };
}

/** Entries of one instant: by key, and of one key the later version first. */
function newestFirst(a: Entry, b: Entry): number {
  return b.createdAtMs - a.createdAtMs || (a.key < b.key ? -1 : a.key > b.key ? 1 : b.version - a.version);
}
