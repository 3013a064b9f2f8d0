/** M07: a reclaim hands out the generation of the lease that ran out. Two holders carry one token. */
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

export const rules: LeaseRules = {
  ...leaseRules,
  claim(row, call, nowMs) {
    const decision = leaseRules.claim(row, call, nowMs);
    const { change } = decision;
    if (change?.kind !== 'granted' || change.grant !== 'reclaimed') return decision;
    const { generation } = row;
    const events = change.events.map((event) => ({ ...event, generation }));
    return { change: { ...change, generation, events } };
  },
};

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
