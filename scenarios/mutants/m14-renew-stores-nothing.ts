/** M14: a heartbeat is answered as accepted and stores nothing: the lease ends when its claim said. */
import { systemClock } from '../../src/clock.ts';
import type { Lease, Store } from '../../src/store.ts';
import { mapLeases } from './map-leases.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

/** Wraps any store. Before the lease of the claim is over, no heartbeat reaches it. */
export function decorate(store: Store, monotonicMs: () => number = systemClock.monotonicMs): Store {
  /** Until when the claim's own lease certainly stands, by key and token. */
  const ends = new Map<string, number>();
  const nameOf = ({ key, token }: Lease): string => `${key} ${token}`;
  return withWork(store, ({ claim, claimNext, heartbeat }) => ({
    ...mapLeases({ ...(claim && { claim }), ...(claimNext && { claimNext }) }, (lease, askedMs) => {
      ends.set(nameOf(lease), monotonicMs() + askedMs);
      return lease;
    }),
    ...(heartbeat && {
      async heartbeat(lease, call) {
        if (monotonicMs() >= (ends.get(nameOf(lease)) ?? 0)) return heartbeat(lease, call);
        const expiresAtMs = (await store.nowMs()) + (call.extendMs ?? lease.leaseMs);
        return { accepted: true, value: { ...lease, expiresAtMs } };
      },
    }),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
