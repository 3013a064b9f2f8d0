/** M53: `complete` tests token and owner and forgets that the lease may be over. */
import { fenceStanding } from '../../src/lease/fence.ts';
import { createLeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const timeless = createLeaseRules({ live: fenceStanding, standing: fenceStanding });

const mutant = mutantModule({ ...leaseRules, complete: timeless.complete });

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
