/** M12: the store tells the whole lease and ends it at half its time. The slip of a unit, in small. */
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import type { Lease, Store } from '../../src/store.ts';
import { mapLeases } from './map-leases.ts';
import { mutantModule } from './module.ts';

export const rules: LeaseRules = {
  ...leaseRules,
  claim: (row, call, nowMs) => leaseRules.claim(row, { ...call, leaseMs: call.leaseMs / 2 }, nowMs),
  heartbeat(row, call, nowMs) {
    // Left out, the row's own duration is used, and that is half already.
    const extendMs = call.extendMs === undefined ? undefined : call.extendMs / 2;
    return leaseRules.heartbeat(row, { ...call, extendMs }, nowMs);
  },
};

/** Wraps the store of these rules: its callers are told the lease that they asked for. */
export function tellWholeLeases(store: Store): Store {
  return mapLeases(store, tellWhole);
}

const mutant = mutantModule(rules, tellWholeLeases);

/** What the caller asked for, computed from what is really kept. */
function tellWhole(lease: Lease, askedMs: number): Lease {
  const { expiresAtMs } = lease;
  const told = { ...lease, leaseMs: askedMs };
  return expiresAtMs === undefined ? told : { ...told, expiresAtMs: expiresAtMs + askedMs / 2 };
}

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
