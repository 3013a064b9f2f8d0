/**
 * M10: every transaction reads first and takes the write lock later. When somebody committed in between, only the write is
 * tried again, with what was read before: it overwrites whatever that was.
 */
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';
import { pause, splitWrites } from './split.ts';

/** `between` passes from the read to the lock. */
export const retryingOldReads = (between: () => Promise<void>): ReplaceEngine =>
  splitWrites({ late: () => true, between });

const mutant = brokenModule({ engine: retryingOldReads(() => pause(1)) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
