/** M56: a call that is refused as stale keeps its connection. When the pool is empty every later call of that process fails. */
import { FencepostError } from '../../src/errors.ts';
import type { Store } from '../../src/store.ts';
import { aroundCalls } from '../innocents/failing.ts';
import { decoratedModule } from './module.ts';

/** Connections of one process. */
const POOL = 2;

/** Wraps any store. */
export function decorate(store: Store): Store {
  let free = POOL;
  return aroundCalls(store, async (call) => {
    if (free === 0) throw new FencepostError('STORE_BUSY', 'No connection is free.', { definite: true });
    const answer = await call();
    if (isStale(answer)) free -= 1;
    return answer;
  });
}

const isStale = (answer: unknown): boolean =>
  (answer as { readonly refusal?: { readonly code: string } } | undefined)?.refusal?.code === 'stale';

const mutant = decoratedModule(decorate);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
