/** I04: a lease that is over still lets its holder complete, nack and renew, until somebody else has the item. It says so. */
import { fenceStanding } from '../../src/lease/fence.ts';
import { createLeaseRules, type LeaseRules } from '../../src/lease/rules.ts';
import type { Declarations } from '../../src/store.ts';
import { brokenModule } from '../mutants/module.ts';

export const rules: LeaseRules = createLeaseRules({ live: fenceStanding, standing: fenceStanding });

const innocent = brokenModule({ rules });

export const declares: Declarations = { ...innocent.declares, lateCalls: 'allowed-if-not-superseded' };
export const { prepare, destroy } = innocent;
export default innocent.default;
