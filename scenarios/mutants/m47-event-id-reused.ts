/**
 * M47: AUTOINCREMENT is missing, so the next event gets the greatest id that is there plus one. Where the newest event is
 * cleared away now and then, its id comes back: a follower that saw the first never sees the second.
 */
import type { ReplaceStatements } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';

/** Of so many events one clears the newest away. */
const EVERY = 40;

/** Each process counts its own events. */
export function reusing(every = EVERY): ReplaceStatements {
  return (own, run) => {
    let events = 0;
    return {
      ...own,
      event(...args) {
        events += 1;
        if (events % every === 0) {
          run(`DELETE FROM events WHERE id = (SELECT max(id) FROM events);
            UPDATE sqlite_sequence SET seq = coalesce((SELECT max(id) FROM events), 0) WHERE name = 'events';`);
        }
        own.event(...args);
      },
    };
  };
}

const mutant = brokenModule({ statements: reusing() });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
