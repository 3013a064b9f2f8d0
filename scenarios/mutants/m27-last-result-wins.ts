/** M27: a finished item takes another complete, and the result that comes last stays. */
import { fenceLive } from '../../src/lease/fence.ts';
import { createLeaseRules, type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const openWhenDone = createLeaseRules({
  live: (row, lease, nowMs) => (row.state === 'done' ? undefined : fenceLive(row, lease, nowMs)),
  standing: () => undefined,
});

export const rules: LeaseRules = { ...leaseRules, complete: openWhenDone.complete };

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
