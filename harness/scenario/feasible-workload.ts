/** Rules of feasibility about what workers do, and what is done to them. Pure. */
import { formatDuration } from './duration.ts';
import { minimumOf, type Rule, refusal, round, warning } from './feasible-rule.ts';

/** p50 is not above p95. */
export const taskPercentiles: Rule = ({ scenario: { workload } }) => {
  const { p50Ms, p95Ms } = workload.task;
  if (p50Ms <= p95Ms) return undefined;
  return refusal(
    `Expected \`workload.task.p50\` (${formatDuration(p50Ms)}) to be no longer than \`workload.task.p95\` (${formatDuration(p95Ms)}).`,
    'Half of all tasks cannot take longer than 95 % of them.',
    'Swap the two, or set them equal for tasks of one length.',
  );
};

/** Each set of weights has one above 0. */
export const drawable: Rule = ({ scenario: { workload } }) => {
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

/** The shortest pause is not above the longest. */
export const pauseBounds: Rule = ({ scenario: { faults } }) => {
  if (faults === undefined || faults.pauseLeases.min <= faults.pauseLeases.max) return undefined;
  return refusal(
    `Expected \`faults.pauseLeases.min\` (${faults.pauseLeases.min}) to be at most \`max\` (${faults.pauseLeases.max}).`,
    'The length of a pause is drawn between the two.',
    'Swap them.',
  );
};

/** A zombie wakes after its lease is over and after somebody else could take the item. */
export const pauseOutlastsLease: Rule = ({ scenario, declares }) => {
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

/** Some zombie must send its stale call. */
export const zombiesTalk: Rule = ({ scenario, declares }) => {
  const { late, stubborn } = scenario.workload.zombies;
  if (late + stubborn > 0 || minimumOf(scenario, 'O3') === 0 || declares.fencing === 'none') return undefined;
  return refusal(
    'Every zombie is polite (`workload.zombies`).',
    'A polite worker gives up before its stale call reaches the store, so the fence is never tried, and any store passes.',
    'Give `late` or `stubborn` a weight above 0.',
  );
};

/** An item must survive the death of its first holder. */
export const attempts: Rule = ({ scenario, declares }) => {
  if (scenario.workload.maxAttempts >= 2 || !declares.maxAttempts || minimumOf(scenario, 'O2') === 0)
    return undefined;
  return refusal(
    'Expected `workload.maxAttempts` to be at least 2, got 1.',
    'An item whose first holder dies is dead, and is never granted again.',
    'Set `workload.maxAttempts: 50`.',
  );
};

/** The store has the calls that end a task. */
export const finalCalls: Rule = ({ scenario: { workload }, methods }) => {
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

/** The store can be read at the end. */
export const finalScan: Rule = ({ methods }) => {
  if (methods.includes('scan')) return undefined;
  return warning(
    'The store has no `scan`.',
    'Without the final read, lost results and items that were never finished cannot be seen.',
    'Add `scan({ after, limit })` to the work facet.',
  );
};
