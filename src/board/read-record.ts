/**
 * How often a worker reads what others wrote, for the statistics. Off unless a board asks for it: a read that writes is not
 * free. Counted in the handle, and added to `reads/LABEL` after each view and at close. What a killed process had not added
 * is missing, so the numbers are lower bounds.
 */
import type { Json } from '../store.ts';
import { entriesOf } from './facets.ts';
import type { Scope } from './scope.ts';
import { writeOwn } from './write.ts';

/** What `reads/LABEL` holds. */
export interface ReadRecord {
  /** Views that were rendered. */
  readonly views: number;
  /** Entries of other workers that views, `get` and `history` handed out. An entry read twice counts twice. */
  readonly entries: number;
}

/** Counts the reads of one handle. */
export interface ReadRecorder {
  count(reads: Partial<ReadRecord>): void;
  /** Adds what was counted. When another process with this label is faster, it waits for the next time. */
  flush(): Promise<void>;
}

/** The recorder of a board that records nothing. */
export const NO_RECORD: ReadRecorder = { count() {}, flush: () => Promise.resolve() };

/** Starts at nothing. */
export function recordReads(scope: Scope): ReadRecorder {
  const key = `reads/${scope.label}`;
  let pending: ReadRecord = { views: 0, entries: 0 };
  return {
    count({ views = 0, entries = 0 }) {
      pending = { views: pending.views + views, entries: pending.entries + entries };
    },
    async flush() {
      const added = pending;
      if (added.views + added.entries === 0) return;
      const before = await entriesOf(scope.store).get(key);
      const stored = readRecordOf(before?.value);
      const written = await writeOwn(scope, {
        key,
        op: 'set',
        value: { views: stored.views + added.views, entries: stored.entries + added.entries },
        ifVersion: before?.version ?? 0,
        keep: 'latest',
      });
      if (!written.accepted) return;
      pending = { views: pending.views - added.views, entries: pending.entries - added.entries };
    },
  };
}

/** The record in a value; nothing where it is none. */
export function readRecordOf(value: Json | undefined): ReadRecord {
  const { views, entries } = (value ?? {}) as Partial<Record<keyof ReadRecord, unknown>>;
  return { views: wholeOf(views), entries: wholeOf(entries) };
}

const wholeOf = (value: unknown): number => (Number.isSafeInteger(value) ? (value as number) : 0);
