/** M22: attempts are compared with `>` where it should be `>=`: an item gets one claim more than it may. */
import type { ItemRow } from '../../src/lease/row.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const oneMore = (row: ItemRow): ItemRow =>
  row.maxAttempts === null ? row : { ...row, maxAttempts: row.maxAttempts + 1 };

export const rules: LeaseRules = {
  ...leaseRules,
  claim: (row, call, nowMs) => leaseRules.claim(oneMore(row), call, nowMs),
  nack: (row, call, nowMs) => leaseRules.nack(oneMore(row), call, nowMs),
};

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
