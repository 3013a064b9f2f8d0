/** M11: the holder's UPDATE meets no row, nobody looks at the count, and the answer is "accepted". */
import type { Lease, Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

const ACCEPTED = { accepted: true, value: undefined } as const;

/** Wraps any store: whatever a holder asks for is answered with yes, done or not. */
export function decorate(store: Store): Store {
  return withWork(store, ({ heartbeat, complete, nack, release }) => ({
    ...(heartbeat && {
      async heartbeat(lease, call) {
        const answer = await heartbeat(lease, call);
        return answer.accepted ? answer : { accepted: true, value: await extended(store, lease) };
      },
    }),
    ...(complete && {
      async complete(lease, call) {
        await complete(lease, call);
        return ACCEPTED;
      },
    }),
    ...(nack && {
      async nack(lease, call) {
        await nack(lease, call);
        return ACCEPTED;
      },
    }),
    ...(release && {
      async release(lease, call) {
        await release(lease, call);
        return ACCEPTED;
      },
    }),
  }));
}

/** The lease as its holder expects it after a heartbeat. */
async function extended(store: Store, lease: Lease): Promise<Lease> {
  return { ...lease, expiresAtMs: (await store.nowMs()) + lease.leaseMs };
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
