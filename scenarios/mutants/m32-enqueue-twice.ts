/** M32: the answer of an enqueue gets lost, the adapter sends it again, and a second row is made for the same piece of work. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { everyTime } from './often.ts';
import { withWork } from './wrap.ts';

/** One answer in so many is lost. */
const LOST_EVERY = 20;

/** Wraps any store. Keys are unique in it, so the second row gets one of its own. */
export function decorate(store: Store, every = LOST_EVERY): Store {
  const isLost = everyTime(every);
  return withWork(store, ({ enqueue }) => ({
    ...(enqueue && {
      async enqueue(items, call) {
        const answer = await enqueue(items, call);
        if (answer.accepted && isLost())
          await enqueue(
            items.map((item) => ({ ...item, key: `${item.key}~2` })),
            { request: `${call.request}/again` },
          );
        return answer;
      },
    }),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
