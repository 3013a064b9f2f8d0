/** Rules of feasibility about workers, store, faults and times. Pure. */
import { formatDuration } from './duration.ts';
import { type Rule, refusal, totalOf, warning } from './feasible-rule.ts';

/** With one worker nothing is ever contested. */
export const oneWorker: Rule = ({ scenario }) => {
  if (scenario.workers >= 2) return undefined;
  return refusal(
    'Expected `workers` to be at least 2, got 1.',
    'With one worker nobody else claims, so no lease is ever contested or taken over.',
    'Set `workers: 4`, or run with `--workers 4`.',
  );
};

/** A store of one process cannot be shared. */
export const processLocal: Rule = ({ scenario, declares }) => {
  if (declares.sharedBy !== 'process' || scenario.workers < 2) return undefined;
  return refusal(
    `The store \`${scenario.store}\` lives in one process (\`sharedBy: 'process'\`), and the scenario has ${scenario.workers} worker processes.`,
    'Each worker would have a store of its own, and nothing would be shared.',
    'Take a store that processes can share, such as `--store sqlite`.',
  );
};

/** Something has to go wrong. */
export const noFaults: Rule = ({ scenario: { faults } }) => {
  if (faults !== undefined && totalOf(faults) > 0) return undefined;
  return refusal(
    faults === undefined ? 'The faults are off.' : 'Every fault has the weight 0.',
    'A run in which nothing goes wrong shows nothing about what happens when something does.',
    'Take `faults: off` out, or give `kill`, `pause` or `twin` a weight above 0.',
  );
};

/** Somebody must be left to be touched. */
export const untouched: Rule = ({ scenario: { faults, workers } }) => {
  if (faults === undefined || faults.untouched < workers || workers < 2) return undefined;
  return refusal(
    `Expected \`faults.untouched\` to be less than \`workers\` (${workers}), got ${faults.untouched}.`,
    'No worker is left that a fault may touch.',
    `Set \`faults.untouched\` to at most ${workers - 1}.`,
  );
};

/** min is not after max. */
export const mainBounds: Rule = ({ scenario: { phases } }) => {
  if (phases.main.minMs <= phases.main.maxMs) return undefined;
  return refusal(
    `Expected \`phases.main.min\` (${formatDuration(phases.main.minMs)}) to be no longer than \`phases.main.max\` (${formatDuration(phases.main.maxMs)}).`,
    'Main ends at `min` when all evidence is in, else at `max`.',
    'Raise `max`, lower `min`, or set both with `--duration`.',
  );
};

/** Leases must be able to end while the faults are on. */
export const leaseInRun: Rule = ({ scenario: { leaseMs, phases } }) => {
  const { maxMs } = phases.main;
  const lease = formatDuration(leaseMs);
  const main = formatDuration(maxMs);
  if (leaseMs >= maxMs) {
    return refusal(
      `Expected \`lease\` to be shorter than \`phases.main.max\` (${main}), got ${lease}.`,
      'No lease would end while the faults are on, so no item would be taken over.',
      `Set \`lease\` to at most ${formatDuration(Math.floor(maxMs / 4))}, a quarter of main, or make main longer with \`--duration\`.`,
    );
  }
  if (leaseMs * 4 <= maxMs) return undefined;
  return warning(
    `\`lease\` (${lease}) is longer than a quarter of \`phases.main.max\` (${main}).`,
    'Few items will be taken over before main ends.',
    `Set \`lease\` to at most ${formatDuration(Math.floor(maxMs / 4))}, or make main longer with \`--duration\`.`,
  );
};

/** A heartbeat comes before the end of the lease. */
export const heartbeatInLease: Rule = ({ scenario: { leaseMs, heartbeatMs } }) => {
  if (heartbeatMs < leaseMs) return undefined;
  return refusal(
    `Expected \`heartbeat\` to be shorter than \`lease\` (${formatDuration(leaseMs)}), got ${formatDuration(heartbeatMs)}.`,
    'Every lease would be over before its first heartbeat.',
    `Set \`heartbeat\` to at most ${formatDuration(Math.max(1, Math.floor(leaseMs / 3)))}, a third of the lease.`,
  );
};

/** The lease is one that the store grants. */
export const leaseInStore: Rule = ({ scenario, declares }) => {
  const { minLeaseMs, maxLeaseMs } = declares;
  if (scenario.leaseMs >= minLeaseMs && scenario.leaseMs <= maxLeaseMs) return undefined;
  const upper = maxLeaseMs === Number.MAX_SAFE_INTEGER ? 'any length' : formatDuration(maxLeaseMs);
  return refusal(
    `Expected \`lease\` to be within what the store declares, ${formatDuration(minLeaseMs)} to ${upper}, got ${formatDuration(scenario.leaseMs)}.`,
    'The store would grant another lease than the one that is judged.',
    'Change `lease`, or `minLeaseMs` and `maxLeaseMs` of the store module.',
  );
};
