/** One sentence about a board whose numbers tell something. Pure. */
import type { BoardStats } from './stats.ts';

/** Below so many, a rate tells nothing. */
const ENOUGH = 20;
/** One claim in twenty takes over from somebody who did not come back. */
const MANY_RECLAIMS = 0.05;
/** One answer in ten is a no because of somebody else. */
const MANY_CONFLICTS = 0.1;
/** Fewer than one read of somebody else's entry for ten entries written. */
const FEW_READS = 0.1;

/** The most telling one: reclaims first, because they bring conflicts with them. Undefined when all is well. */
export function adviceOn(stats: BoardStats): string | undefined {
  const { claims, reclaimRate = 0, answers, conflictRate = 0 } = stats;
  if (claims >= ENOUGH && reclaimRate >= MANY_RECLAIMS) {
    return 'Many leases ran out: they are too short, or workers die. Measure your tasks; three times their p95 is the rule.';
  }
  if (answers >= ENOUGH && conflictRate >= MANY_CONFLICTS) {
    return 'Too contended: split the keys that many workers want, or give each worker its own.';
  }
  if (nobodyReads(stats)) {
    return 'Hardly anybody reads what others write: a coordinator that merges results would do.';
  }
  return undefined;
}

/** Only where reads are recorded: a board that records none says nothing about readers. */
function nobodyReads({ namespaces, reads }: BoardStats): boolean {
  const shared = namespaces.filter(({ mode }) => mode !== 'board' && mode !== 'undeclared');
  const written = shared.reduce((sum, { entries }) => sum + entries, 0);
  const read = reads.reduce((sum, { entries }) => sum + entries, 0);
  return reads.length > 0 && written >= ENOUGH && read < written * FEW_READS;
}
