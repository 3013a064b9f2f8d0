/** I14 and I08: one answer in five gets lost after the call has acted: nobody knows, and a later read shows it. */
import type { Store } from '../../src/store.ts';
import { decoratedModule } from '../mutants/module.ts';
import { aroundCalls, share } from './failing.ts';

const LOST_SHARE = 0.2;

/** Wraps any store. The error says nothing about what the call did. */
export function decorate(store: Store, isLost: () => boolean = share(LOST_SHARE)): Store {
  return aroundCalls(store, async (call) => {
    const answer = await call();
    if (isLost()) throw new Error('The connection was lost.');
    return answer;
  });
}

const innocent = decoratedModule((store) => decorate(store));

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
