/**
 * O2, reclaimed: an item was granted again after the process that held it had died with it.
 *
 * Counted per lost lease. The later claim must have been sent after the death, so that the death came first.
 */
import type { Tenure } from '../measure/tenures.ts';
import { deathOf, heldAtDeath } from './held-at-death.ts';
import { claims, type Evidence, type ObligationRule } from './rule.ts';

export const reclaimed: ObligationRule = {
  id: 'O2',
  name: 'reclaimed',
  statement:
    'An item was granted again, under another generation, after its holder had died while it held it.',
  min: 10,
  advice:
    'Make the lease shorter than a quarter of main (`lease`), or kill more often (`faults.every`, `faults.kill`).',
  asked: claims,
  count: (evidence, { declares }) => {
    let seen = 0;
    for (const life of evidence.history.incarnations.values()) {
      const diedAt = deathOf(life);
      if (life.role !== 'worker' || diedAt === undefined) continue;
      for (const tenure of heldAtDeath(evidence, life, diedAt, declares)) {
        if (grantedAfter(evidence, tenure, diedAt)) seen += 1;
      }
    }
    return seen;
  },
};

function grantedAfter(evidence: Evidence, tenure: Tenure, diedAt: number): boolean {
  const { ops } = evidence.history;
  // A store that hands a generation out twice may have several grants that are not later; they lie next to each other.
  for (let later = tenure.next; later; later = later.next) {
    if (ops.generation[later.grant] !== ops.generation[tenure.grant]) return ops.inv[later.grant]! > diedAt;
  }
  return false;
}
