/** M23: an attempt whose holder went away without a word is not counted: a poisonous item never dies. */
import type { LeaseRules } from '../../src/lease/rules.ts';
import { withGrant } from './grants.ts';
import { mutantModule } from './module.ts';

export const rules: LeaseRules = withGrant((granted, row) =>
  granted.grant === 'reclaimed' ? { ...granted, attempts: row.attempts } : granted,
);

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
