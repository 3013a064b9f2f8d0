/** The lease rules with something changed about what a claim grants. */
import type { Granted } from '../../src/lease/change.ts';
import type { ItemRow } from '../../src/lease/row.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';

/** `change` gets what a claim would grant, and the row as it was. */
export function withGrant(change: (granted: Granted, row: ItemRow) => Granted): LeaseRules {
  return {
    ...leaseRules,
    claim(row, call, nowMs) {
      const decision = leaseRules.claim(row, call, nowMs);
      return decision.change?.kind === 'granted' ? { change: change(decision.change, row) } : decision;
    },
  };
}

/** Every grant gets the generation that `next` says. */
export function withGeneration(next: (row: ItemRow, granted: Granted) => number): LeaseRules {
  return withGrant((granted, row) => {
    const generation = next(row, granted);
    return {
      ...granted,
      generation,
      events: granted.events.map((event) => ({ ...event, generation })),
    };
  });
}
