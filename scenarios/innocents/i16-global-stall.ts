/** I16: now and then a writer stands still inside its transaction, and everybody with it; then all goes on. */
import type { ReplaceEngine } from '../../src/stores/sqlite/backend.ts';
import { nap } from '../../src/stores/sqlite/nap.ts';
import { brokenModule } from '../mutants/module.ts';
import { everyTime } from '../mutants/often.ts';

const STALL_EVERY = 400;
const STALL_MS = 400;

/** `stall` passes between the decision and its commit. */
export function stalling(every = STALL_EVERY, stall: () => void = () => nap(STALL_MS)): ReplaceEngine {
  const stalls = everyTime(every);
  return (own) => ({
    ...own,
    write: (patience, body) =>
      own.write(patience, (tx, nowMs) => {
        const answer = body(tx, nowMs);
        if (stalls()) stall();
        return answer;
      }),
  });
}

const innocent = brokenModule({ engine: stalling() });

export const { declares, prepare, destroy } = innocent;
export default innocent.default;
