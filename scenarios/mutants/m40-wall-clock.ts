/** M40: the store's clock is the wall clock of whoever calls. A step forward ends all leases at once. */
import { type Clock, systemClock } from '../../src/clock.ts';
import { brokenModule } from './module.ts';

/** Without the name of a boot the SQLite store has nothing but the wall clock. */
export const steppable = (clock: Clock): Clock => ({ ...clock, bootId: undefined });

const mutant = brokenModule({ clock: steppable(systemClock) });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
