/** M34: the adapter sends a call again whose answer was lost, tells nobody, and passes on what the second one was answered. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { everyTime } from './often.ts';
import { withWork } from './wrap.ts';

/** One answer in so many is lost. */
const LOST_EVERY = 15;

/** Wraps any store: the second enqueue of a key is refused as a duplicate, the second complete as completed. */
export function decorate(store: Store, every = LOST_EVERY): Store {
  const isLost = everyTime(every);
  return withWork(store, ({ enqueue, complete }) => ({
    ...(enqueue && {
      async enqueue(items, call) {
        const answer = await enqueue(items, call);
        return isLost() ? enqueue(items, call) : answer;
      },
    }),
    ...(complete && {
      async complete(lease, call) {
        const answer = await complete(lease, call);
        return isLost() ? complete(lease, call) : answer;
      },
    }),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
