/** M38: an item that is done takes a nack as well: it is finished and failed at once. */
import type { Decision } from '../../src/lease/change.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

export const rules: LeaseRules = {
  ...leaseRules,
  nack(row, call, nowMs): Decision {
    if (row.state !== 'done') return leaseRules.nack(row, call, nowMs);
    const event = { kind: 'dead', author: call.lease.owner, generation: row.generation } as const;
    return { change: { kind: 'died', error: call.error, events: [event] } };
  },
};

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
