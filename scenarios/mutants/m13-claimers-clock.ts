/** M13: whether a lease is over is judged by the wall clock of whoever claims. A clock that runs ahead takes living leases. */
import { systemClock } from '../../src/clock.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { brokenModule, type Replaced } from './module.ts';
import { offering } from './offering.ts';

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
  const engine = offering((own) => (prefix, _, limit) => own(prefix, wrongMs(), limit));
  return { rules, engine };
}

const mutant = brokenModule(claimsBy(systemClock.wallMs));

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
