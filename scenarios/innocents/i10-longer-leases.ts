/** I10: leases are rounded up, and the answer says how long they are. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from '../mutants/module.ts';
import { withWork } from '../mutants/wrap.ts';

const GRAIN_MS = 100;
const roundedUp = (ms: number): number => Math.ceil(ms / GRAIN_MS) * GRAIN_MS;

/** Wraps any store that tells how long its leases are. */
export function decorate(store: Store): Store {
  return withWork(store, ({ claim, claimNext }) => ({
    ...(claim && { claim: (key, by) => claim(key, { ...by, leaseMs: roundedUp(by.leaseMs) }) }),
    ...(claimNext && {
      claimNext: (prefix, by) => claimNext(prefix, { ...by, leaseMs: roundedUp(by.leaseMs) }),
    }),
  }));
}

const innocent = decoratedModule(decorate);

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
