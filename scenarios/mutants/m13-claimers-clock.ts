/** M13: whether a lease is over is judged by the wall clock of whoever claims. A clock that runs ahead takes living leases. */
import { systemClock } from '../../src/clock.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule, type Replaced } from './module.ts';

/** Claims are judged at the instant of `wallMs`; what they grant, and every holder's call, goes by the store's clock. */
export function claimsBy(wallMs: () => number): Replaced {
  const wrongMs = (): number => Math.floor(wallMs());
  const rules: LeaseRules = {
    ...leaseRules,
    claim(row, call, nowMs) {
      const decision = leaseRules.claim(row, call, wrongMs());
      const { change } = decision;
      if (change?.kind !== 'granted') return decision;
      return { change: { ...change, acquiredAtMs: nowMs, expiresAtMs: nowMs + change.leaseMs } };
    },
  };
  const engine: ReplaceEngine = (own) => ({
    ...own,
    write: (patience, body) =>
      own.write(patience, (tx, nowMs) =>
        body({ ...tx, eligible: (prefix, _, limit) => tx.eligible(prefix, wrongMs(), limit) }, nowMs),
      ),
  });
  return { rules, engine };
}

const mutant = brokenModule(claimsBy(systemClock.wallMs));

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
