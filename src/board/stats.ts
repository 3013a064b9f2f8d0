/** What a board has seen, in numbers, from what is stored: nothing is estimated. */
import type { Entry, Store } from '../store.ts';
import type { Declared, Namespaces } from './namespaces.ts';
import { allItems, newestEntries } from './pages.ts';
import { matches, parsePattern } from './pattern.ts';
import { type ReadRecord, readRecordOf } from './read-record.ts';

/** Numbers of a board since its creation. */
export interface BoardStats {
  /** Answers that said yes or no: grants, ends of leases, entries, refusals. An accepted heartbeat is not counted. */
  readonly answers: number;
  /** Refusals because of another worker: `held`, `stale`, `conflict`. */
  readonly conflicts: number;
  /** conflicts / answers. Undefined while there is no answer. */
  readonly conflictRate: number | undefined;
  readonly claims: number;
  /** Grants of an item whose former lease ran out. */
  readonly reclaims: number;
  /** reclaims / claims. Undefined while there is no claim. */
  readonly reclaimRate: number | undefined;
  /** Updates that lost all their tries. */
  readonly persistentConflicts: number;
  readonly namespaces: readonly NamespaceStats[];
  /** Who read how much of what others wrote; only of boards that record it. Lower bounds. */
  readonly reads: readonly (ReadRecord & { readonly worker: string })[];
  /** What the store counted, by its own names. */
  readonly counters: Readonly<Record<string, number>>;
}

/** One namespace. */
export interface NamespaceStats {
  readonly pattern: string;
  readonly mode: Declared['mode'] | 'undeclared';
  readonly keys: number;
  /** Entries ever written: versions never restart, so the newest tells. */
  readonly entries: number;
  readonly items: number;
}

const NOTICES = parsePattern('pattern', 'notices/*/persistent-conflict');
const READS = parsePattern('pattern', 'reads/*');
const ACCEPTED = ['claims', 'completes', 'nacks', 'releases', 'forceReleases', 'appends', 'sets', 'deletes'];

/** Reads the numbers. One listing of all keys and items: for reports, not for polling. */
export async function boardStats(store: Store, namespaces: Namespaces): Promise<BoardStats> {
  const counters = (await store.counters?.()) ?? {};
  const count = (name: string): number => counters[name] ?? 0;
  const answers = ACCEPTED.reduce((sum, name) => sum + count(name), count('refusals'));
  const claims = count('claims');
  const content = await contentOf(store, namespaces);
  return {
    answers,
    conflicts: count('conflicts'),
    conflictRate: answers === 0 ? undefined : count('conflicts') / answers,
    claims,
    reclaims: count('reclaims'),
    reclaimRate: claims === 0 ? undefined : count('reclaims') / claims,
    ...content,
    counters,
  };
}

async function contentOf(store: Store, namespaces: Namespaces) {
  const found = new Map<string, NamespaceStats>();
  const reads: (ReadRecord & { worker: string })[] = [];
  let persistentConflicts = 0;

  function add(key: string, more: { keys?: number; entries?: number; items?: number }): void {
    const { pattern, mode } = namespaceOf(namespaces, key);
    const before = found.get(pattern) ?? { pattern, mode, keys: 0, entries: 0, items: 0 };
    const { keys = 0, entries = 0, items = 0 } = more;
    found.set(pattern, {
      ...before,
      keys: before.keys + keys,
      entries: before.entries + entries,
      items: before.items + items,
    });
  }

  function see(entry: Entry): void {
    add(entry.key, { keys: 1, entries: entry.version });
    if (matches(NOTICES, entry.key)) persistentConflicts += entry.version;
    if (matches(READS, entry.key)) reads.push({ worker: entry.author, ...readRecordOf(entry.value) });
  }

  if (store.entries !== undefined) for await (const entry of newestEntries(store)) see(entry);
  if (store.work?.scan !== undefined) for await (const item of allItems(store)) add(item.key, { items: 1 });
  return { persistentConflicts, reads, namespaces: [...found.values()] };
}

function namespaceOf(namespaces: Namespaces, key: string): Pick<NamespaceStats, 'pattern' | 'mode'> {
  const declared = namespaces.find(key);
  if (declared !== undefined) return { pattern: declared.pattern.text, mode: declared.mode };
  // Work items of other programs stand side by side: their first segment tells them apart.
  const [first = '', ...rest] = key.split('/');
  return { pattern: [first, ...rest.map(() => '*')].join('/'), mode: 'undeclared' };
}
