/** M07: a reclaim hands out the generation of the lease that ran out. Two holders carry one token. */
import type { LeaseRules } from '../../src/lease/rules.ts';
import { withGeneration } from './grants.ts';
import { mutantModule } from './module.ts';

export const rules: LeaseRules = withGeneration((row, granted) =>
  granted.grant === 'reclaimed' ? row.generation : granted.generation,
);

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
