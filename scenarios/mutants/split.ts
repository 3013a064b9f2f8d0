/** Reads in one transaction and writes what it decided in a later one, by id alone: what happens in between is overwritten. */
import type { Patience } from '../../src/lease/backend.ts';
import type { Change } from '../../src/lease/change.ts';
import type { ReplaceEngine, SqliteBackend, SqliteTransaction } from '../../src/stores/sqlite/backend.ts';

export interface SplitOptions {
  /** Which changes are put off. */
  readonly late: (change: Change) => boolean;
  /** What passes between the two transactions. */
  readonly between: () => Promise<void>;
}

/** The engine whose late changes are decided by a row that may be another by the time they are written. */
export const splitWrites =
  (options: SplitOptions): ReplaceEngine =>
  (own) => ({ ...own, write: (patience, body) => inTwo(own, options, patience, body) });

async function inTwo<T>(
  own: SqliteBackend,
  { late, between }: SplitOptions,
  patience: Patience,
  body: (tx: SqliteTransaction, nowMs: number) => T,
): Promise<T> {
  let later: ((tx: SqliteTransaction) => void)[] = [];
  const answer = await own.write(patience, (tx, nowMs) => {
    later = [];
    return body(
      {
        ...tx,
        apply(row, change) {
          if (late(change)) later.push((second) => second.apply(row, change));
          else tx.apply(row, change);
        },
      },
      nowMs,
    );
  });
  if (later.length === 0) return answer;
  await between();
  await own.write(patience, (tx) => {
    for (const write of later) write(tx);
  });
  return answer;
}

/** Waits for so many milliseconds. */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
