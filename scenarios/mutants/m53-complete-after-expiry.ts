/** M53: `complete` tests token and owner and forgets that the lease may be over. */
import { fenceStanding } from '../../src/lease/fence.ts';
import { createLeaseRules, type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const timeless = createLeaseRules({ live: fenceStanding, standing: fenceStanding });

export const rules: LeaseRules = { ...leaseRules, complete: timeless.complete };

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
