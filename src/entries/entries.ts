/**
 * The entry facet, written once for every engine: check the arguments, let the rules decide under the write lock, write the
 * entries and their events in the same transaction.
 */
import { mapAwaitable } from '../lease/awaitable.ts';
import type { Patience } from '../lease/backend.ts';
import { checkKey, checkPage, checkText } from '../lease/validate.ts';
import type { EntryStore, Write } from '../store.ts';
import { entryOf } from './answer.ts';
import type { EntryBackend } from './backend.ts';
import { planCommit } from './plan.ts';
import type { EntryEventKind } from './row.ts';
import { type EntryRules, entryRules } from './rules.ts';
import { type CheckedWrite, checkHistoryPage, checkRequirements, checkWrites } from './validate.ts';

/** How the entry facet of a store behaves. */
export interface EntryOptions {
  /** Replaces entry rules; for stores that are broken on purpose. @default the rules of this package */
  readonly entryRules?: EntryRules;
}

const EVENT = { append: 'appended', set: 'set', delete: 'deleted' } as const satisfies Record<
  Write['op'],
  EntryEventKind
>;

/** The entry facet over an engine. Answers at once wherever the engine does. */
export function createEntryStore(backend: EntryBackend, options: EntryOptions = {}): EntryStore {
  const rules = options.entryRules ?? entryRules;
  return {
    get(key) {
      checkKey('key', key);
      return mapAwaitable(backend.newest(key), (row) => (row === undefined ? undefined : entryOf(row)));
    },

    commit(writes, commitOptions) {
      const checked = checkWrites(writes);
      const required = checkRequirements(commitOptions);
      return backend.write(patienceOf(checked), (tx, nowMs) => {
        const plan = planCommit(rules, tx, checked, required, nowMs);
        if (plan.refusal !== undefined) {
          tx.countRefusal(plan.refusal.code);
          return { accepted: false, refusal: plan.refusal };
        }
        for (const { write, row } of plan.rows) {
          tx.put(row, write.keep);
          tx.entryEvent(EVENT[write.op], row);
        }
        return { accepted: true, value: plan.rows.map(({ row }) => entryOf(row)) };
      });
    },

    history(key, page) {
      checkKey('key', key);
      checkHistoryPage(page);
      const before = page.before ?? Number.MAX_SAFE_INTEGER;
      return mapAwaitable(backend.versions(key, before, page.limit), (rows) => rows.map(entryOf));
    },

    list(prefix, page) {
      checkText('prefix', prefix);
      checkPage(page);
      return mapAwaitable(backend.live(prefix, page.after, page.limit), (rows) => rows.map(entryOf));
    },
  };
}

/** A fenced commit is a holder's call: it goes before claims, and may wait until the first of its leases ends. */
function patienceOf(writes: readonly CheckedWrite[]): Patience {
  const leases = writes.flatMap(({ fence }) => (fence === undefined ? [] : [fence]));
  const [first, ...rest] = leases;
  if (first === undefined) return { rank: 'claim' };
  const endMs = (lease: typeof first) => lease.expiresAtMs ?? Number.POSITIVE_INFINITY;
  const earliest = rest.reduce((a, b) => (endMs(b) < endMs(a) ? b : a), first);
  return { rank: 'holder', untilMs: earliest.expiresAtMs, leaseMs: earliest.leaseMs };
}
