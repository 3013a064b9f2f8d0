/** M01: `complete` looks at no token, no owner, no state. Whoever calls has finished the item, again and again. */
import { createLeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const pass = () => undefined;
const unfenced = createLeaseRules({ live: pass, standing: pass });

const mutant = mutantModule({ ...leaseRules, complete: unfenced.complete });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
