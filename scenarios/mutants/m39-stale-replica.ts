/** M39: reads come from a copy that is behind: what was written meanwhile is not seen. */
import { systemClock } from '../../src/clock.ts';
import type { EntryRow } from '../../src/entries/row.ts';
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';

/** How far the copy may be behind. */
const BEHIND_MS = 40;

/** Answers a key from the copy until that is `behindMs` old. */
export const readingBehind =
  (behindMs: number, monotonicMs: () => number): ReplaceEngine =>
  (own) => {
    const copies = new Map<string, { readonly row: EntryRow | undefined; readonly atMs: number }>();
    return {
      ...own,
      async newest(key) {
        const copy = copies.get(key);
        if (copy !== undefined && monotonicMs() - copy.atMs < behindMs) return copy.row;
        const fresh = { row: await own.newest(key), atMs: monotonicMs() };
        copies.set(key, fresh);
        return fresh.row;
      },
    };
  };

const mutant = brokenModule({ engine: readingBehind(BEHIND_MS, systemClock.monotonicMs) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
