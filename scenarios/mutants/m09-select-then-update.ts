/** M09: a claim selects an item, and takes it by its id alone afterwards. Two that select the same one both have it. */
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { brokenModule } from './module.ts';
import { pause, splitWrites } from './split.ts';

/** The way from the database to the claimer and back. */
const ROUND_TRIP_MS = 3;

/** `between` passes from the select to the update. */
export const selectThenUpdate = (between: () => Promise<void>): ReplaceEngine =>
  splitWrites({ late: (change) => change.kind === 'granted', between });

const mutant = brokenModule({ engine: selectThenUpdate(() => pause(ROUND_TRIP_MS)) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
