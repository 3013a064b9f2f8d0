/** M01: `complete` looks at no token, no owner, no state. Whoever calls has finished the item, again and again. */
import { createLeaseRules, type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import type { Store } from '../../src/store.ts';
import { completingAsHolder } from './as-holder.ts';
import { mutantModule } from './module.ts';

const pass = () => undefined;
const unfenced = createLeaseRules({ live: pass, standing: pass });

export const rules: LeaseRules = { ...leaseRules, complete: unfenced.complete };

/** The same around any store whose scan shows the holder. */
export const decorate = (store: Store): Store => completingAsHolder(store, () => true);

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
