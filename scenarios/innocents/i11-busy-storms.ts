/** I11: three calls in ten find the store busy. They certainly had no effect, and the error says so. */
import { FencepostError } from '../../src/errors.ts';
import type { Store } from '../../src/store.ts';
import { decoratedModule } from '../mutants/module.ts';
import { aroundCalls, share } from './failing.ts';

const BUSY_SHARE = 0.3;

/** Wraps any store whose table of errors calls a busy store definite. */
export function decorate(store: Store, isBusy: () => boolean = share(BUSY_SHARE)): Store {
  return aroundCalls(store, async (call) => {
    if (isBusy()) throw new FencepostError('STORE_BUSY', 'The store is busy.', { definite: true });
    return call();
  });
}

const innocent = decoratedModule((store) => decorate(store));

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
