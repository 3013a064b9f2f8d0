/** M12: the store tells the whole lease and ends it at half its time. The slip of a unit, in small. */
import type { Lease, Store } from '../../src/store.ts';
import { mapLeases } from './map-leases.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

/** Asks any store for half of what its callers ask for, and tells them the whole. */
export function decorate(store: Store): Store {
  return withWork(store, ({ claim, claimNext, heartbeat }) =>
    mapLeases(
      {
        ...(claim && { claim: (key, by) => claim(key, { ...by, leaseMs: by.leaseMs / 2 }) }),
        ...(claimNext && {
          claimNext: (prefix, by) => claimNext(prefix, { ...by, leaseMs: by.leaseMs / 2 }),
        }),
        ...(heartbeat && {
          heartbeat: (lease, call) =>
            heartbeat(lease, { ...call, extendMs: (call.extendMs ?? lease.leaseMs) / 2 }),
        }),
      },
      tellWhole,
    ),
  );
}

/** What the caller asked for, computed from what is really kept. */
function tellWhole(lease: Lease, askedMs: number): Lease {
  const { expiresAtMs } = lease;
  const told = { ...lease, leaseMs: askedMs };
  return expiresAtMs === undefined ? told : { ...told, expiresAtMs: expiresAtMs + askedMs / 2 };
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
