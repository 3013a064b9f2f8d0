/** How many faults of each kind took hold: for people. Obligations never read this. Pure. */
import type { History } from '../history/history.ts';
import type { FaultCount } from '../report/results.ts';

/** Counts by the outcome that each fault noted at its confirmation; a failed heal makes it failed. */
export function faultCounts(history: Pick<History, 'faults'>): FaultCount[] {
  const outcomes = new Map<
    number,
    { readonly fault: string; outcome: 'confirmed' | 'missed' | 'failed' | undefined }
  >();
  for (const { id, fault, outcome } of history.faults) {
    const known = outcomes.get(id);
    if (!known) outcomes.set(id, { fault, outcome });
    else if (outcome === 'failed' || known.outcome === undefined) known.outcome = outcome;
  }
  const counts = new Map<string, { confirmed: number; missed: number; failed: number }>();
  for (const { fault, outcome } of outcomes.values()) {
    const count = counts.get(fault) ?? { confirmed: 0, missed: 0, failed: 0 };
    counts.set(fault, count);
    if (outcome) count[outcome] += 1;
  }
  return [...counts]
    .map(([fault, count]) => ({ fault, ...count }))
    .sort((a, b) => (a.fault < b.fault ? -1 : 1));
}
