/** M06: the token is the wall clock's reading. Clocks differ and step, and two grants may fall into one millisecond. */
import { systemClock } from '../../src/clock.ts';
import type { LeaseRules } from '../../src/lease/rules.ts';
import { withGeneration } from './grants.ts';
import { mutantModule } from './module.ts';

/** Rules that read `wallMs` for each grant. */
export const clockRules = (wallMs: () => number): LeaseRules => withGeneration(() => Math.floor(wallMs()));

const mutant = mutantModule(clockRules(systemClock.wallMs));

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
