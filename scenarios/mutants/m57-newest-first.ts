/** M57: of the items that are free a claim takes the one that came last, though the store promises the one that came first. */
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';

/** So many are looked at. */
const AT_ONCE = 200;

export const newestFirst: ReplaceEngine = (own) => ({
  ...own,
  write: (patience, body) =>
    own.write(patience, (tx, nowMs) =>
      body(
        {
          ...tx,
          eligible: (prefix, atMs, limit) =>
            [...tx.eligible(prefix, atMs, AT_ONCE)].sort((a, b) => b.id - a.id).slice(0, limit),
        },
        nowMs,
      ),
    ),
});

const mutant = brokenModule({ engine: newestFirst });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
