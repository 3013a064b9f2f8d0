/** M16: a heartbeat extends whatever lease stands on the item, whoever sends it. */
import { fenceLive, tokenOf } from '../../src/lease/fence.ts';
import { createLeaseRules, type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const whoever = createLeaseRules({
  live: (row, lease, nowMs) =>
    fenceLive(row, { token: tokenOf(row.generation), owner: row.owner ?? lease.owner }, nowMs),
  standing: () => undefined,
});

export const rules: LeaseRules = { ...leaseRules, heartbeat: whoever.heartbeat };

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
