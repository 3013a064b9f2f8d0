/** M35: a claim leases one item more than it hands out. Nobody works on that one until its lease is over. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

/** Wraps any store that hands out several items at once. */
export function decorate(store: Store): Store {
  return withWork(store, ({ claimNext }) => ({
    ...(claimNext && {
      async claimNext(prefix, by) {
        const limit = by.limit ?? 1;
        const answer = await claimNext(prefix, { ...by, limit: limit + 1 });
        return answer.accepted ? { accepted: true, value: answer.value.slice(0, limit) } : answer;
      },
    }),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
