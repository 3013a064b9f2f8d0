/** M08: a heartbeat raises the token on the row, and the holder is not told: its next call is refused as stale. */
import type { ReplaceStatements } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';

export const statements: ReplaceStatements = (own, run) => ({
  ...own,
  change(id, change) {
    const met = own.change(id, change);
    if (change.kind === 'extended') run(`UPDATE items SET generation = generation + 1 WHERE id = ${id}`);
    return met;
  },
});

const mutant = brokenModule({ statements });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
