/**
 * M08: a heartbeat raises the token on the row now and then, and the holder is not told: its next call is refused as stale. Not
 * each time: a store that never takes a call after a heartbeat would be seen through by its first user.
 */
import type { ReplaceStatements } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';
import { everyTime } from './often.ts';

/** One heartbeat in so many, counted by each process. */
const EVERY = 4;

export const bumping =
  (every = EVERY): ReplaceStatements =>
  (own, run) => {
    const bumps = everyTime(every);
    return {
      ...own,
      change(id, change) {
        const met = own.change(id, change);
        if (change.kind === 'extended' && bumps())
          run(`UPDATE items SET generation = generation + 1 WHERE id = ${id}`);
        return met;
      },
    };
  };

const mutant = brokenModule({ statements: bumping() });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
