/** M18: the reaper selects items whose lease is over, and opens them by their id alone a moment later. */
import { brokenModule } from './module.ts';
import { pause } from './split.ts';
import { lapsedItems, reopen, sweeping } from './sweeping.ts';

const EVERY_MS = 25;
/** From the select to the update: enough for somebody to claim the item, and to finish it. */
const BETWEEN_MS = 30;

/** `between` passes from the select to the update. */
export const reapingById = (everyMs: number, between: () => Promise<void>) =>
  sweeping(everyMs, async (own) => {
    const lapsed = await own.write({ rank: 'claim' }, lapsedItems);
    if (lapsed.length === 0) return;
    await between();
    await own.write({ rank: 'claim' }, (tx) => {
      for (const row of lapsed) reopen(tx, row);
    });
  });

const mutant = brokenModule({ engine: reapingById(EVERY_MS, () => pause(BETWEEN_MS)) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
