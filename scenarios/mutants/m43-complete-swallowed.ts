/** M43: a complete under a superseded lease does nothing and is answered as accepted. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { withWork } from './wrap.ts';

/** Wraps any store. */
export function decorate(store: Store): Store {
  return withWork(store, ({ complete }) => ({
    ...(complete && {
      async complete(lease, call) {
        const answer = await complete(lease, call);
        const swallowed = !answer.accepted && answer.refusal.code === 'stale';
        return swallowed ? { accepted: true, value: undefined } : answer;
      },
    }),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
