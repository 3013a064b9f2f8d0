/** Changes the leases that a store hands out, on their way to the caller. */
import type { Lease, Outcome, Store } from '../../src/store.ts';

/** Wraps a store. `change` gets each lease handed out, with the duration that the call asked for. */
export function mapLeases(store: Store, change: (lease: Lease, askedMs: number) => Lease): Store {
  const { work } = store;
  const { claim, claimNext, heartbeat } = work ?? {};
  return {
    ...store,
    work: {
      ...work,
      ...(claim && {
        claim: async (key, by) => mapValue(await claim(key, by), (lease) => change(lease, by.leaseMs)),
      }),
      ...(claimNext && {
        claimNext: async (prefix, by) =>
          mapValue(await claimNext(prefix, by), (leases) => leases.map((lease) => change(lease, by.leaseMs))),
      }),
      ...(heartbeat && {
        heartbeat: async (lease, call) =>
          mapValue(await heartbeat(lease, call), (held) => ({
            ...change(held, call.extendMs ?? lease.leaseMs),
            // What a heartbeat extends by once is not the duration of the lease.
            leaseMs: held.leaseMs,
          })),
      }),
    },
  };
}

function mapValue<T>(outcome: Outcome<T>, change: (value: T) => T): Outcome<T> {
  return outcome.accepted ? { accepted: true, value: change(outcome.value) } : outcome;
}
