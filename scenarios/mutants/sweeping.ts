/** An engine with a sweep: something that a timer of the process does to all leased items, as reapers do. */
import { FencepostError } from '../../src/errors.ts';
import type { ItemRow } from '../../src/lease/row.ts';
import type { ReplaceEngine, SqliteBackend, SqliteTransaction } from '../../src/stores/sqlite/backend.ts';

/** More items than are ever leased at once. */
const PAGE = 10_000;

/** Runs `sweep` every so often while the store is open. */
export const sweeping =
  (everyMs: number, sweep: (own: SqliteBackend) => Promise<void>): ReplaceEngine =>
  (own) => {
    let isRunning = false;
    const timer = setInterval(() => {
      if (isRunning) return;
      isRunning = true;
      void sweep(own)
        .catch(unlessClosed)
        .finally(() => {
          isRunning = false;
        });
    }, everyMs);
    timer.unref();
    return {
      ...own,
      close() {
        clearInterval(timer);
        own.close();
      },
    };
  };

/** The store may be closed or busy when the sweep comes along; the next one will do. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof FencepostError && error.definite)) throw error;
}

/** The leased items whose lease is over. */
export const lapsedItems = (tx: SqliteTransaction, nowMs: number): readonly ItemRow[] =>
  tx.eligible('', nowMs, PAGE).filter((row) => row.state === 'leased');

/** Puts an item back to open, whatever it is by now. */
export function reopen(tx: SqliteTransaction, row: ItemRow): void {
  const { eligibleAtMs, error } = row;
  tx.apply(row, { kind: 'opened', eligibleAtMs, error, events: [] });
}
