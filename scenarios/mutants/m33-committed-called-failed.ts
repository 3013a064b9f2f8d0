/** M33: the call was committed, something went wrong on the way back, and the error says that it certainly had no effect. */
import { FencepostError } from '../../src/errors.ts';
import type { Outcome, Store } from '../../src/store.ts';
import { decoratedModule } from './module.ts';
import { everyTime } from './often.ts';
import { withWork } from './wrap.ts';

/** One accepted call in so many. */
const FAILS_EVERY = 15;

/** Wraps any store. */
export function decorate(store: Store, every = FAILS_EVERY): Store {
  const goesWrong = everyTime(every);
  const deny = <T>(answer: Outcome<T>): Outcome<T> => {
    if (!answer.accepted || !goesWrong()) return answer;
    throw new FencepostError('STORE_FAILED', 'The connection was lost. The call had no effect.', {
      definite: true,
    });
  };
  return withWork(store, ({ enqueue, complete }) => ({
    ...(enqueue && { enqueue: async (items, call) => deny(await enqueue(items, call)) }),
    ...(complete && { complete: async (lease, call) => deny(await complete(lease, call)) }),
  }));
}

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
