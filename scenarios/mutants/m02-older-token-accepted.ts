/** M02: the fence compares with `<=` where it should with `===`: any token that is not newer than the row's passes. */
import { type Fence, fenceLive, fenceStanding, type LeaseClaim, tokenOf } from '../../src/lease/fence.ts';
import type { ItemRow } from '../../src/lease/row.ts';
import { createLeaseRules, type LeaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

const notNewer =
  (fence: Fence): Fence =>
  (row, lease, nowMs) =>
    fence(row, Number(lease.token) <= row.generation ? holderOf(row, lease) : lease, nowMs);

/** What the fence wants to see of this row. */
const holderOf = (row: ItemRow, lease: LeaseClaim): LeaseClaim => ({
  token: tokenOf(row.generation),
  owner: row.owner ?? lease.owner,
});

export const rules: LeaseRules = createLeaseRules({
  live: notNewer(fenceLive),
  standing: notNewer(fenceStanding),
});

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
