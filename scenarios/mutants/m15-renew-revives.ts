/** M15: the heartbeat of a lease that was granted anew puts the old holder back in its place. */
import type { Decision } from '../../src/lease/change.ts';
import { type LeaseRules, leaseRules } from '../../src/lease/rules.ts';
import { mutantModule } from './module.ts';

export const rules: LeaseRules = {
  ...leaseRules,
  heartbeat(row, call, nowMs): Decision {
    const { lease, extendMs } = call;
    const isOld = row.state === 'leased' && Number(lease.token) < row.generation;
    if (!isOld) return leaseRules.heartbeat(row, call, nowMs);
    const leaseMs = row.leaseMs ?? 0;
    const change = {
      kind: 'granted',
      generation: Number(lease.token),
      owner: lease.owner,
      attempts: row.attempts,
      acquiredAtMs: nowMs,
      expiresAtMs: nowMs + (extendMs ?? leaseMs),
      leaseMs,
      grant: 'reacquired',
      events: [],
    } as const;
    return { change };
  },
};

const mutant = mutantModule(rules);

export const { declares, prepare, destroy } = mutant;
export default mutant.default;
