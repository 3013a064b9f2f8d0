/** M03: the fence compares the owner's name, not the token. A stalled attempt and its twin of the same name are one to it. */
import { type Fence, fenceLive, fenceStanding, tokenOf } from '../../src/lease/fence.ts';
import { createLeaseRules, type LeaseRules } from '../../src/lease/rules.ts';
import type { Store } from '../../src/store.ts';
import { completingAsHolder } from './as-holder.ts';
import { mutantModule } from './module.ts';

/** Hands the fence the token it wants to see, so that only the name is left to compare. */
function byName(fence: Fence): Fence {
  return (row, lease, nowMs) => fence(row, { owner: lease.owner, token: tokenOf(row.generation) }, nowMs);
}

export const rules: LeaseRules = createLeaseRules({
  live: byName(fenceLive),
  standing: byName(fenceStanding),
});

/** The same around any store whose scan shows the holder. */
export const decorate = (store: Store): Store =>
  completingAsHolder(store, (holder, lease) => holder.owner === lease.owner);

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
