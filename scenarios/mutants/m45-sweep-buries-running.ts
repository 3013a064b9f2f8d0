/** M45: a sweep takes items that were leased a while ago for stuck and buries them, though their holders send heartbeats. */
import { brokenModule } from './module.ts';
import { sweeping } from './sweeping.ts';

const EVERY_MS = 60;
/** A lease that was granted so long ago counts as stuck. */
const STUCK_MS = 100;
const PAGE = 1000;

/** Buries, every so often, what was granted `stuckMs` ago or earlier and still is leased. */
export const buryingSweep = (everyMs: number, stuckMs: number) =>
  sweeping(everyMs, async (own) => {
    for (let after: string | undefined; ; ) {
      const rows = await own.page(after, PAGE);
      const leased = rows.filter((row) => row.state === 'leased');
      if (leased.length > 0)
        await own.write({ rank: 'claim' }, (tx, nowMs) => {
          for (const { key } of leased) {
            const row = tx.find(key);
            if (row?.state !== 'leased' || nowMs - (row.acquiredAtMs ?? nowMs) < stuckMs) continue;
            const event = { kind: 'dead', author: row.owner ?? '', generation: row.generation } as const;
            tx.apply(row, { kind: 'died', error: 'stuck', events: [event] });
          }
        });
      after = rows.at(-1)?.key;
      if (rows.length < PAGE) return;
    }
  });

const mutant = brokenModule({ engine: buryingSweep(EVERY_MS, STUCK_MS) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
