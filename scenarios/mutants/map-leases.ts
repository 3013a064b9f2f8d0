/** Changes the leases that a store hands out, on their way to the caller. */
import type { Lease, Outcome, WorkStore } from '../../src/store.ts';

/** The methods of a work facet that hand out leases, with each lease changed. `change` gets the duration that the call asked for. */
export function mapLeases(work: WorkStore, change: (lease: Lease, askedMs: number) => Lease): WorkStore {
  const { claim, claimNext, heartbeat } = work;
  return {
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
  };
}

function mapValue<T>(outcome: Outcome<T>, change: (value: T) => T): Outcome<T> {
  return outcome.accepted ? { accepted: true, value: change(outcome.value) } : outcome;
}
