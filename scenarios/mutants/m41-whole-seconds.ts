/** M41: the time to live is cut down to whole seconds, and the caller is told what it asked for. */
import type { Lease, Store } from '../../src/store.ts';
import { mapLeases } from './map-leases.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

const SECOND_MS = 1000;
const wholeSeconds = (ms: number): number => Math.max(SECOND_MS, Math.floor(ms / SECOND_MS) * SECOND_MS);

/** Wraps any store. A lease of less than a second becomes one of a second. */
export function decorate(store: Store): Store {
  return withWork(store, ({ claim, claimNext, heartbeat }) =>
    mapLeases(
      {
        ...(claim && { claim: (key, by) => claim(key, { ...by, leaseMs: wholeSeconds(by.leaseMs) }) }),
        ...(claimNext && {
          claimNext: (prefix, by) => claimNext(prefix, { ...by, leaseMs: wholeSeconds(by.leaseMs) }),
        }),
        ...(heartbeat && {
          heartbeat: (lease, call) =>
            heartbeat(lease, { ...call, extendMs: wholeSeconds(call.extendMs ?? lease.leaseMs) }),
        }),
      },
      tellAsked,
    ),
  );
}

function tellAsked(lease: Lease, askedMs: number): Lease {
  const { expiresAtMs } = lease;
  const told = { ...lease, leaseMs: askedMs };
  return expiresAtMs === undefined
    ? told
    : { ...told, expiresAtMs: expiresAtMs - wholeSeconds(askedMs) + askedMs };
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
