/** What the obligations have to know besides the history: what the store offers and what the scenario asked for. Pure. */
import type { History } from '../history/history.ts';
import { type OperationName, STORE_OPERATIONS } from '../history/record.ts';
import { type CrashCell, crashCells } from '../scenario/crash-cells.ts';
import { type LaneRole, laneRoles, type WorkloadKind, worksOnLeases } from '../scenario/kind.ts';
import { seesLastMoments } from '../scenario/last-moment.ts';
import { type Boundary, FAULT_NAMES, type FaultName, type Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';

/** Input of every obligation beside the history. */
export interface ObligationContext {
  readonly declares: Declares;
  /** Methods that the store has. */
  readonly methods: readonly OperationName[];
  /** Kinds of calls that the workload makes in main; each must have been accepted there (O10). */
  readonly workload: readonly OperationName[];
  /** Lanes of all workers together: the largest open pool over which claims can be said to contend (O5). */
  readonly lanes: number;
  /** The workload has items that nobody can work off, so that some use their attempts up (O14). */
  readonly poison: boolean;
  /** The workload works on durable plans (O20). */
  readonly plans: boolean;
  /** Minima of the scenario, by part (`O4.complete`) or for all parts of an obligation (`O4`). */
  readonly minima: Readonly<Record<string, number>>;
  /** Faults that the scenario gives a weight. */
  readonly faults: ReadonlySet<FaultName>;
  /** Steps of a call at which workers are to be killed (O13). */
  readonly crashWindows: readonly Boundary[];
  /** Combinations of call, step and cut that must each have been hit (O13.matrix). */
  readonly crashCells: readonly CrashCell[];
  /** The lease of the scenario; without one, of no length. */
  readonly leaseMs: number;
  /** Some tasks of the built-in workload renew their lease at the last moment (O7). */
  readonly lastMoment: boolean;
  /** A call that takes that long, ms, was delayed on purpose where calls are (O19.slow). */
  readonly slowMs: number;
}

/** The context of a run. Without a scenario, lanes are counted in the history and the workload is all that the store has. */
export function obligationContext(input: {
  readonly history: History;
  readonly declares: Declares;
  readonly methods: readonly OperationName[] | undefined;
  readonly scenario: Scenario | undefined;
}): ObligationContext {
  const { history, declares, scenario } = input;
  const methods = input.methods ?? STORE_OPERATIONS;
  return {
    declares,
    methods,
    workload: workloadOperations(methods, declares, scenario),
    lanes: scenario ? scenario.workers * scenario.lanes : countLanes(history),
    poison: hasPoison(methods, declares, scenario),
    plans: scenario?.workload.kind === 'plan',
    minima: scenario?.obligations ?? {},
    leaseMs: scenario?.leaseMs ?? 0,
    lastMoment: renewsLate(scenario),
    ...ofFaults(scenario?.faults, workloadOperations(methods, declares, scenario)),
  };
}

/** What the faults of the scenario ask for. A run that was saved before there were options has none of the faults that need them. */
function ofFaults(
  faults: Scenario['faults'],
  operations: readonly OperationName[],
): Pick<ObligationContext, 'faults' | 'crashWindows' | 'crashCells' | 'slowMs'> {
  const weighed = new Set(FAULT_NAMES.filter((name) => (faults?.weights[name] ?? 0) > 0));
  const points = weighed.has('crash-point') ? faults?.options['crash-point'] : undefined;
  return {
    faults: weighed,
    crashWindows: points?.cuts.includes('kill') ? points.boundaries : [],
    crashCells: points?.all ? crashCells(points, operations) : [],
    slowMs: (faults?.options?.slow.delayMs.max ?? 0) / 2,
  };
}

/** As the built-in workloads of leased work decide it; a user's own may renew as it likes. */
const renewsLate = (scenario: Scenario | undefined): boolean =>
  scenario !== undefined &&
  scenario.workload.module === undefined &&
  WORKS_ON_TASKS.has(scenario.workload.kind ?? 'work') &&
  seesLastMoments(scenario);

const WORKS_ON_TASKS: ReadonlySet<WorkloadKind> = new Set<WorkloadKind>(['work', 'mixed']);

/** As the built-in workload `work` decides it; a user's own may have none. */
function hasPoison(
  methods: readonly OperationName[],
  { maxAttempts }: Declares,
  scenario: Scenario | undefined,
): boolean {
  if (!scenario || scenario.workload.module !== undefined || (scenario.workload.kind ?? 'work') !== 'work')
    return false;
  return (
    maxAttempts &&
    methods.includes('nack') &&
    methods.includes('enqueue') &&
    scenario.workload.finals.nack > 0
  );
}

/** Kinds of calls that the built-in workload of the scenario makes on a store with these methods. */
export function workloadOperations(
  methods: readonly OperationName[],
  declares: Declares,
  scenario: Scenario | undefined,
): OperationName[] {
  const finals = scenario?.workload.finals;
  const onBoard = scenario && boardOperations(scenario, methods.includes('since'));
  const works = scenario === undefined || worksOnLeases(scenario.workload.kind ?? 'work');
  return methods.filter((method) => {
    switch (method) {
      case 'commit':
      case 'get':
      case 'list':
      case 'history':
      case 'since':
        return onBoard === undefined || onBoard.has(method);
      case 'scan':
      case 'forceRelease':
      case 'trim':
      case 'plan':
        return false; // the final read, the operator's call, a method that may be missing, and what is no method: no part of main
      case 'enqueue':
        return works && (declares.items === 'enqueued' || methods.includes('claimNext'));
      case 'complete':
      case 'release':
      case 'nack':
        return works && (finals === undefined || finals[method] > 0);
      default:
        return works;
    }
  });
}

const BY_ROLE: Readonly<Record<LaneRole, readonly OperationName[]>> = {
  work: [],
  register: ['commit', 'get'],
  log: ['commit', 'list', 'history'],
  write: ['commit', 'get'],
  follow: ['commit', 'get', 'since'],
  plan: ['commit', 'get'],
};

/** Calls on entries and the feed that some lane of the scenario makes. */
function boardOperations({ lanes, workload }: Scenario, hasFeed: boolean): ReadonlySet<OperationName> {
  // A run that was saved before there were kinds is one of `work`.
  const { kind = 'work', followers = 0 } = workload;
  return new Set(laneRoles({ kind, lanes, followers, hasFeed }).flatMap((role) => BY_ROLE[role]));
}

/** Lanes seen under each label, summed: what a run without a scenario shows of its own size. */
function countLanes(history: History): number {
  const { ops } = history;
  const seen = new Set<string>();
  let last = '';
  for (let row = 0; row < ops.length; row++) {
    const life = history.incarnations.get(ops.incarnation[row]!);
    if (life?.role === 'scanner') continue;
    const lane = `${life?.label ?? ops.incarnation[row]} ${ops.lane[row]}`;
    if (lane !== last) seen.add(lane);
    last = lane;
  }
  return seen.size;
}
