/** Feasibility, first part: settings that contradict each other, the store or the purpose. Pure. */
import { OBLIGATIONS } from '../obligation/registry.ts';
import type { Concern, FeasibilityInput } from './concern.ts';
import { formatDuration } from './duration.ts';
import type { Faults, Scenario } from './scenario.ts';

type Rule = (input: FeasibilityInput) => Concern | undefined;

/** Every broken rule, in the order of the list. */
export function shapeConcerns(input: FeasibilityInput): Concern[] {
  return RULES.map((rule) => rule(input)).filter((concern) => concern !== undefined);
}

function refusal(what: string, why: string, fix: string): Concern {
  return { level: 'refusal', what, why, fix };
}

function warning(what: string, why: string, fix: string): Concern {
  return { level: 'warning', what, why, fix };
}

const oneWorker: Rule = ({ scenario }) => {
  if (scenario.workers >= 2) return undefined;
  return refusal(
    'Expected `workers` to be at least 2, got 1.',
    'With one worker nobody else claims, so no lease is ever contested or taken over.',
    'Set `workers: 4`, or run with `--workers 4`.',
  );
};

const processLocal: Rule = ({ scenario, declares }) => {
  if (declares.sharedBy !== 'process' || scenario.workers < 2) return undefined;
  return refusal(
    `The store \`${scenario.store}\` lives in one process (\`sharedBy: 'process'\`), and the scenario has ${scenario.workers} worker processes.`,
    'Each worker would have a store of its own, and nothing would be shared.',
    'Take a store that processes can share, such as `--store sqlite`.',
  );
};

const noFaults: Rule = ({ scenario: { faults } }) => {
  if (faults !== undefined && totalOf(faults) > 0) return undefined;
  return refusal(
    faults === undefined ? 'The faults are off.' : 'Every fault has the weight 0.',
    'A run in which nothing goes wrong shows nothing about what happens when something does.',
    'Take `faults: off` out, or give `kill`, `pause` or `twin` a weight above 0.',
  );
};

const untouched: Rule = ({ scenario: { faults, workers } }) => {
  if (faults === undefined || faults.untouched < workers || workers < 2) return undefined;
  return refusal(
    `Expected \`faults.untouched\` to be less than \`workers\` (${workers}), got ${faults.untouched}.`,
    'No worker is left that a fault may touch.',
    `Set \`faults.untouched\` to at most ${workers - 1}.`,
  );
};

const mainBounds: Rule = ({ scenario: { phases } }) => {
  if (phases.main.minMs <= phases.main.maxMs) return undefined;
  return refusal(
    `Expected \`phases.main.min\` (${formatDuration(phases.main.minMs)}) to be no longer than \`phases.main.max\` (${formatDuration(phases.main.maxMs)}).`,
    'Main ends at `min` when all evidence is in, else at `max`.',
    'Raise `max`, lower `min`, or set both with `--duration`.',
  );
};

const leaseInRun: Rule = ({ scenario: { leaseMs, phases } }) => {
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

const heartbeatInLease: Rule = ({ scenario: { leaseMs, heartbeatMs } }) => {
  if (heartbeatMs < leaseMs) return undefined;
  return refusal(
    `Expected \`heartbeat\` to be shorter than \`lease\` (${formatDuration(leaseMs)}), got ${formatDuration(heartbeatMs)}.`,
    'Every lease would be over before its first heartbeat.',
    `Set \`heartbeat\` to at most ${formatDuration(Math.max(1, Math.floor(leaseMs / 3)))}, a third of the lease.`,
  );
};

const leaseInStore: Rule = ({ scenario, declares }) => {
  const { minLeaseMs, maxLeaseMs } = declares;
  if (scenario.leaseMs >= minLeaseMs && scenario.leaseMs <= maxLeaseMs) return undefined;
  const upper = maxLeaseMs === Number.MAX_SAFE_INTEGER ? 'any length' : formatDuration(maxLeaseMs);
  return refusal(
    `Expected \`lease\` to be within what the store declares, ${formatDuration(minLeaseMs)} to ${upper}, got ${formatDuration(scenario.leaseMs)}.`,
    'The store would grant another lease than the one that is judged.',
    'Change `lease`, or `minLeaseMs` and `maxLeaseMs` of the store module.',
  );
};

const taskPercentiles: Rule = ({ scenario: { workload } }) => {
  const { p50Ms, p95Ms } = workload.task;
  if (p50Ms <= p95Ms) return undefined;
  return refusal(
    `Expected \`workload.task.p50\` (${formatDuration(p50Ms)}) to be no longer than \`workload.task.p95\` (${formatDuration(p95Ms)}).`,
    'Half of all tasks cannot take longer than 95 % of them.',
    'Swap the two, or set them equal for tasks of one length.',
  );
};

const drawable: Rule = ({ scenario: { workload } }) => {
  for (const [name, weights] of Object.entries({ finals: workload.finals, zombies: workload.zombies })) {
    if (Object.values(weights).some((weight) => weight > 0)) continue;
    return refusal(
      `Every weight of \`workload.${name}\` is 0.`,
      'There is nothing to draw from.',
      `Give one of ${Object.keys(weights)
        .map((key) => `\`${key}\``)
        .join(', ')} a weight above 0.`,
    );
  }
  return undefined;
};

const pauseBounds: Rule = ({ scenario: { faults } }) => {
  if (faults === undefined || faults.pauseLeases.min <= faults.pauseLeases.max) return undefined;
  return refusal(
    `Expected \`faults.pauseLeases.min\` (${faults.pauseLeases.min}) to be at most \`max\` (${faults.pauseLeases.max}).`,
    'The length of a pause is drawn between the two.',
    'Swap them.',
  );
};

/** A zombie wakes after its lease is over and after somebody else could take the item. */
const pauseOutlastsLease: Rule = ({ scenario, declares }) => {
  const { faults, leaseMs } = scenario;
  if (faults === undefined || minimumOf(scenario, 'O3') === 0 || declares.fencing === 'none')
    return undefined;
  const needed = (leaseMs + declares.reapIntervalMs) / leaseMs;
  if (faults.pauseLeases.max > needed) return undefined;
  const reap = declares.reapIntervalMs === 0 ? '' : ' and the reap interval of the store';
  return refusal(
    `Expected \`faults.pauseLeases.max\` to be more than ${round(needed)}, got ${faults.pauseLeases.max}.`,
    `No worker stays stopped past the end of its lease${reap}, so no stale writer ever wakes up.`,
    `Set \`faults.pauseLeases: { min: ${round(needed + 0.2)}, max: ${round(needed + 1.5)} }\`.`,
  );
};

const zombiesTalk: Rule = ({ scenario, declares }) => {
  const { late, stubborn } = scenario.workload.zombies;
  if (late + stubborn > 0 || minimumOf(scenario, 'O3') === 0 || declares.fencing === 'none') return undefined;
  return refusal(
    'Every zombie is polite (`workload.zombies`).',
    'A polite worker gives up before its stale call reaches the store, so the fence is never tried, and any store passes.',
    'Give `late` or `stubborn` a weight above 0.',
  );
};

const attempts: Rule = ({ scenario, declares }) => {
  if (scenario.workload.maxAttempts >= 2 || !declares.maxAttempts || minimumOf(scenario, 'O2') === 0)
    return undefined;
  return refusal(
    'Expected `workload.maxAttempts` to be at least 2, got 1.',
    'An item whose first holder dies is dead, and is never granted again.',
    'Set `workload.maxAttempts: 50`.',
  );
};

const finalCalls: Rule = ({ scenario: { workload }, methods }) => {
  const missing = Object.entries(workload.finals)
    .filter(([name, weight]) => weight > 0 && !methods.some((method) => method === name))
    .map(([name]) => `\`${name}\``);
  if (missing.length === 0) return undefined;
  return warning(
    `The store has no ${missing.join(' and no ')}, which \`workload.finals\` gives a weight.`,
    'Those calls are left out, and what they would have shown is not tested.',
    'Add the method to the store, or set the weight to 0.',
  );
};

const finalScan: Rule = ({ methods }) => {
  if (methods.includes('scan')) return undefined;
  return warning(
    'The store has no `scan`.',
    'Without the final read, lost results and items that were never finished cannot be seen.',
    'Add `scan({ after, limit })` to the work facet.',
  );
};

const RULES: readonly Rule[] = [
  oneWorker,
  processLocal,
  noFaults,
  untouched,
  mainBounds,
  leaseInRun,
  heartbeatInLease,
  leaseInStore,
  taskPercentiles,
  drawable,
  pauseBounds,
  pauseOutlastsLease,
  zombiesTalk,
  attempts,
  finalCalls,
  finalScan,
];

/** The minimum that a run of this scenario demands of an obligation. */
export function minimumOf(scenario: Scenario, id: string): number {
  return scenario.obligations[id] ?? OBLIGATIONS.find((rule) => rule.id === id)?.min ?? 0;
}

/** Sum of the weights of all faults. */
export function totalOf(faults: Faults): number {
  return Object.values(faults.weights).reduce((sum, weight) => sum + weight, 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
