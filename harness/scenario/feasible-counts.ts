/** Feasibility, second part: will there be enough faults? Faults are a Poisson stream, so this is arithmetic. Pure. */
import { sourcesOf } from '../obligation/sources.ts';
import type { Concern, FeasibilityInput } from './concern.ts';
import { formatDuration } from './duration.ts';
import { minimumOf, totalOf } from './feasible-rule.ts';
import { laneRoles, worksOnLeases } from './kind.ts';
import { neededMean } from './poisson.ts';
import type { FaultName, Faults, Scenario } from './scenario.ts';

/** The fastest start of a worker that was measured, from fork to ready: no fault can touch its label before. */
const RESPAWN_MS = 80;

/** Faults that every store can suffer: named where the scenario has none of the others. */
const PLAIN: ReadonlySet<FaultName> = new Set(['kill', 'pause', 'twin']);

interface Demand {
  readonly id: string;
  readonly min: number;
  readonly what: string;
  /** Faults that can give this evidence. */
  readonly sources: readonly FaultName[];
  /** Main must go on for this long after the fault. */
  readonly afterMs: number;
}

/** A refusal for each demand that `main.max` cannot meet, a warning for each that `main.min` probably does not. */
export function countConcerns(input: FeasibilityInput): Concern[] {
  const { scenario } = input;
  const { faults } = scenario;
  if (faults === undefined) return [];
  return demandsOf(input).flatMap((demand) => concernOf(demand, faults, scenario) ?? []);
}

function demandsOf(input: FeasibilityInput): Demand[] {
  const { kind } = input.scenario.workload;
  return [
    ...(worksOnLeases(kind) ? leaseDemands(input) : boardDemands(input)),
    demand(input, 'O12', 'new processes that did accepted work', RESPAWN_MS),
    ...(kind === 'plan' ? planDemands(input) : []),
    ...(follows(input) ? [demand(input, 'O16.restart', 'followers that were restarted', RESPAWN_MS)] : []),
  ];
}

function leaseDemands(input: FeasibilityInput): Demand[] {
  const { scenario, declares, methods } = input;
  const { leaseMs } = scenario;
  const holderCalls = methods.some((method) => ['complete', 'heartbeat', 'release', 'nack'].includes(method));
  const fenced = declares.fencing !== 'none' && holderCalls;
  return [
    demand(input, 'O1', 'workers killed while they hold a lease', 0),
    demand(input, 'O2', 'items granted again after their holder died', leaseMs + declares.reapIntervalMs),
    ...(fenced ? [demand(input, 'O3', 'stale calls of workers that were stopped', leaseMs)] : []),
    // With a second lane the worker itself can meet its older attempt, so that twins are not the only way.
    ...(fenced && scenario.lanes === 1
      ? [demand(input, 'O17', 'old holders that met their own name', leaseMs)]
      : []),
  ];
}

function boardDemands(input: FeasibilityInput): Demand[] {
  return [
    demand(input, 'O18.killed', 'workers killed that had written', 0),
    demand(input, 'O18.stopped', 'workers that wrote on after a stop', 0),
  ];
}

function planDemands(input: FeasibilityInput): Demand[] {
  const { leaseMs } = input.scenario;
  return [
    demand(input, 'O20.killed', 'workers killed while they hold a task', 0),
    demand(input, 'O20.reclaimed', 'tasks handed out again after their holder died', leaseMs),
  ];
}

function demand({ scenario }: FeasibilityInput, id: string, what: string, afterMs: number): Demand {
  return { id, min: minimumOf(scenario, id), what, sources: sourcesOf(id), afterMs };
}

/** Whether some lane follows the feed. */
function follows({ scenario, methods }: FeasibilityInput): boolean {
  const { lanes, workload } = scenario;
  const { kind, followers } = workload;
  return laneRoles({ kind, lanes, followers, hasFeed: methods.includes('since') }).includes('follow');
}

function concernOf(demand: Demand, faults: Faults, scenario: Scenario): Concern | undefined {
  const needed = neededMean(demand.min);
  if (needed === 0) return undefined;
  const { minMs, maxMs } = scenario.phases.main;
  const rate = ratePerMs(demand.sources, faults, scenario);
  const expected = (mainMs: number) => Math.max(0, mainMs - demand.afterMs) * rate;
  const why = `${demand.id} asks for at least ${demand.min} (${demand.what}), which needs ${needed} expected ones.`;
  const weighed = demand.sources.filter((name) => faults.weights[name] > 0);
  const names = (weighed.length > 0 ? weighed : demand.sources.filter((name) => PLAIN.has(name)))
    .map((name) => `\`${name}\``)
    .join(' or ');
  if (rate === 0) {
    return {
      level: 'refusal',
      what: `No fault of the scenario can lead to ${demand.what}.`,
      why,
      fix: `Give ${names} a weight in \`faults\`, or ask for none: \`obligations: { ${demand.id}: 0 }\`.`,
    };
  }
  const enoughMs = Math.ceil((needed / rate + demand.afterMs) / 1000) * 1000;
  const fix = `Set \`phases.main.max\` to ${formatDuration(enoughMs)} or more, make \`faults.every\` or \`lease\` shorter, or ask for less: \`obligations: { ${demand.id}: N }\`.`;
  if (expected(maxMs) < needed) {
    const what = `At most ${count(expected(maxMs))} faults (${names}) can be expected within \`phases.main.max\` (${formatDuration(maxMs)}).`;
    return { level: 'refusal', what, why, fix };
  }
  if (expected(minMs) >= needed) return undefined;
  return {
    level: 'warning',
    what: `At most ${count(expected(minMs))} faults (${names}) can be expected within \`phases.main.min\` (${formatDuration(minMs)}).`,
    why,
    fix: `Main will probably run on past \`min\`, towards ${formatDuration(maxMs)}.`,
  };
}

/**
 * Faults of these kinds in a millisecond, at most: the stream's rate, or what the workers that may be touched can take. A
 * worker that is stopped or starting is not touched again.
 */
function ratePerMs(sources: readonly FaultName[], faults: Faults, scenario: Scenario): number {
  const total = totalOf(faults);
  const { weights, pauseLeases } = faults;
  const pauseMs = ((pauseLeases.min + pauseLeases.max) / 2) * scenario.leaseMs;
  const busyMs = ((weights.kill + weights.twin) * RESPAWN_MS + weights.pause * pauseMs) / total;
  const capacity = (scenario.workers - faults.untouched) / busyMs;
  const share = sources.reduce((sum, name) => sum + weights[name], 0) / total;
  return share * Math.min(1 / faults.everyMs, capacity);
}

function count(expected: number): string {
  return expected < 10 ? expected.toFixed(1) : String(Math.floor(expected));
}
