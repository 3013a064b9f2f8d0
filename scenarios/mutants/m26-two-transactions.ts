/** M26: a complete writes the state in one transaction and the result in a second one. A kill in between leaves one without the other. */
import type { ReplaceEngine, SqliteTransaction } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';
import { pause } from './split.ts';

const BETWEEN_MS = 40;
/** The default of a column that must not be empty. */
const NO_RESULT = 'null';

/** `between` passes from the state to the result. */
export const stateThenResult =
  (between: () => Promise<void>): ReplaceEngine =>
  (own) => ({
    ...own,
    async write(patience, body) {
      let later: Parameters<SqliteTransaction['apply']> | undefined;
      const answer = await own.write(patience, (tx, nowMs) =>
        body(
          {
            ...tx,
            apply(row, change) {
              if (change.kind !== 'completed') return tx.apply(row, change);
              later = [row, { ...change, events: [] }];
              tx.apply(row, { ...change, result: NO_RESULT });
            },
          },
          nowMs,
        ),
      );
      if (later === undefined) return answer;
      const [row, change] = later;
      await between();
      await own.write(patience, (tx) => tx.apply(row, change));
      return answer;
    },
  });

const mutant = brokenModule({ engine: stateThenResult(() => pause(BETWEEN_MS)) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
