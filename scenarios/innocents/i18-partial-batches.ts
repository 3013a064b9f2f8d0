/** I18: a claim for several items hands out fewer, though there are more. */
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from '../mutants/module.ts';

export const halfBatches: ReplaceEngine = (own) => ({
  ...own,
  write: (patience, body) =>
    own.write(patience, (tx, nowMs) =>
      body(
        { ...tx, eligible: (prefix, atMs, limit) => tx.eligible(prefix, atMs, Math.ceil(limit / 2)) },
        nowMs,
      ),
    ),
});

const innocent = brokenModule({ engine: halfBatches });

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
