/** M05: the token is counted in memory, and begins anew with each process that owns the store. */
import type { LeaseRules } from '../../src/lease/rules.ts';
import { withGeneration } from './grants.ts';
import { mutantModule } from './module.ts';

/** Rules of one process: they know the tokens that they gave out themselves. */
export function forgetfulRules(): LeaseRules {
  const given = new Map<string, number>();
  return withGeneration((row) => {
    const next = (given.get(row.key) ?? 0) + 1;
    given.set(row.key, next);
    return next;
  });
}

const mutant = mutantModule(forgetfulRules());

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
