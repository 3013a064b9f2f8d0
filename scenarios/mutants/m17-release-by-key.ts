/** M17: a release frees the item by its key alone, whoever holds it by now. */
import { fenceStanding, tokenOf } from '../../src/lease/fence.ts';
import { createLeaseRules, type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const whoever = createLeaseRules({
  live: () => undefined,
  standing: (row, lease, nowMs) =>
    fenceStanding(row, { token: tokenOf(row.generation), owner: row.owner ?? lease.owner }, nowMs),
});

export const rules: LeaseRules = { ...leaseRules, release: whoever.release };

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
