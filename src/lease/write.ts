/** How a decision is put down: the row and its events together, a refusal with its count. */
import type { Outcome, Refusal } from '../store.ts';
import type { WorkTransaction } from './backend.ts';
import type { Change } from './change.ts';
import type { ItemRow } from './row.ts';

/** Writes a change and its events. */
export function writeChange(tx: WorkTransaction, row: ItemRow, change: Change, nowMs: number): void {
  tx.apply(row, change);
  for (const event of change.events) tx.event(row.key, event, nowMs);
}

/** Answers no, and counts it in the same transaction; an empty claimNext is the normal end of a poll and not counted. */
export function refused(tx: WorkTransaction, refusal: Refusal): Outcome<never> {
  if (refusal.code !== 'empty') tx.countRefusal(refusal.code);
  return { accepted: false, refusal };
}
