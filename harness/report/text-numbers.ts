/** The part of the text report with what was measured: rates, task and call times, reclaim delay. Pure. */
import { flow } from '../../src/text/layout.ts';
import { besideLabel, labelled } from './layout.ts';
import { count, milliseconds, percent } from './numbers.ts';
import type { BoardNumbers, Percentiles, PlanNumbers, Results } from './results.ts';
import type { Style } from './style.ts';
import { leasesIn } from './text-activity.ts';

const GAP = '   ';

/** Labelled lines; a line whose samples are missing is left out. */
export function measured(results: Results, style: Style): string[] {
  const { numbers, declaredScenario } = results;
  const { staleRefused: stale } = numbers;
  const width = besideLabel(style.width);
  const line = (label: string, parts: readonly string[]) => labelled(label, flow(parts, width, GAP));
  const leaseMs = declaredScenario?.leaseMs;
  const { p95 } = numbers.task;
  const lease =
    leaseMs === undefined || p95 === undefined || p95 === 0
      ? []
      : [`lease ${milliseconds(leaseMs)} = ${(leaseMs / p95).toFixed(1)} ${style.mark.times} p95`];
  const leases = leasesIn(numbers)
    ? [
        ...line('rates', [
          `conflict ${percent(numbers.conflictRate)}`,
          `reclaim ${percent(numbers.reclaimRate)}`,
          `work done twice ${count(numbers.workDoneTwice)} of ${count(numbers.completes)}`,
        ]),
        ...line('lost', lost(numbers)),
        ...line('refused', [
          'stale calls:',
          ...Object.entries(stale).map(([op, refused]) => `${op} ${count(refused)}`),
        ]),
      ]
    : [];
  return [
    ...leases,
    ...(numbers.board === undefined ? [] : line('board', board(numbers.board))),
    ...(numbers.plans === undefined ? [] : line('plans', plans(numbers.plans))),
    ...line('task', withSamples(numbers.task, lease)),
    ...line('claim', withSamples(numbers.latency.claim)),
    ...line('heartbeat', withSamples(numbers.latency.heartbeat)),
    ...line('complete', withSamples(numbers.latency.complete)),
    ...(numbers.board === undefined ? [] : line('commit', withSamples(numbers.board.commit))),
    ...line('reclaim', withSamples(numbers.reclaimDelay, ['past the end of the lease'])),
    ...line('loop lag', withSamples(numbers.loopLag)),
  ];
}

/** `leases: holder died 30 · stopped 41 · starved by this machine 2`; what did not happen is left out. */
function lost({
  leasesLost: { died, stopped, starved, otherwise },
  believedByTwo,
}: Results['numbers']): string[] {
  const parts = [
    ...(died > 0 ? [`holder died ${count(died)}`] : []),
    ...(stopped > 0 ? [`stopped ${count(stopped)}`] : []),
    ...(starved > 0 ? [`starved by this machine ${count(starved)}`] : []),
    ...(otherwise > 0 ? [`otherwise ${count(otherwise)}`] : []),
  ];
  const { count: times, p95 } = believedByTwo;
  const both = p95 === undefined ? [] : [`believed by two ${count(times)}, for p95 ${milliseconds(p95)}`];
  return parts.length + both.length === 0 ? [] : ['leases:', ...parts, ...both];
}

function board({ conflicts, conflictRate, appends, eventsFollowed }: BoardNumbers): string[] {
  return [
    `conflicts ${count(conflicts)} (${percent(conflictRate)} of commits)`,
    `appends ${count(appends)}`,
    ...(eventsFollowed > 0 ? [`events followed ${count(eventsFollowed)}`] : []),
  ];
}

function plans(numbers: PlanNumbers): string[] {
  return [
    `handed out again ${count(numbers.handedOutAgain)}`,
    `handed back ${count(numbers.handedBack)}`,
    `renewed ${count(numbers.renewals)}`,
    `closes refused ${count(numbers.closesRefused)}`,
    `cancelled ${count(numbers.cancelled)}`,
    `rescheduled ${count(numbers.rescheduled)}`,
  ];
}

function withSamples(percentiles: Percentiles, beside: readonly string[] = []): string[] {
  if (percentiles.count === 0) return [];
  const shown = (['p50', 'p95', 'p99', 'max'] as const).flatMap((name) => {
    const value = percentiles[name];
    return value === undefined ? [] : [`${name} ${milliseconds(value)}`];
  });
  return [...shown, ...beside];
}
