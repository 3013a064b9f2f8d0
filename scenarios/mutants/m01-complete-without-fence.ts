/** M01: `complete` looks at no token, no owner, no state. Whoever calls has finished the item, again and again. */
import { createLeaseRules, type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const pass = () => undefined;
const unfenced = createLeaseRules({ live: pass, standing: pass });

export const rules: LeaseRules = { ...leaseRules, complete: unfenced.complete };

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
