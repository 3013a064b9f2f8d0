/** I15: the store's clock steps to and fro, by no more than the store declares. */
import { type Clock, systemClock } from '../../src/clock.ts';
import type { Declarations } from '../../src/store.ts';
import { brokenModule } from '../mutants/module.ts';

const STEP_MS = 20;
/** It steps this often. */
const EVERY_MS = 70;

/** A clock that is off by up to half a step to either side. */
export function stepping(clock: Clock, stepMs = STEP_MS): Clock {
  return {
    ...clock,
    monotonicMs() {
      const now = clock.monotonicMs();
      const phase = Math.floor(now / EVERY_MS) * 2_654_435_761;
      return now + ((phase % 1000) / 1000 - 0.5) * stepMs;
    },
  };
}

const innocent = brokenModule({ clock: stepping(systemClock) });

export const declares: Declarations = { ...innocent.declares, clock: 'store-wall', clockStepMs: STEP_MS + 1 };
export const { prepare, destroy } = innocent;
export default innocent.default;
