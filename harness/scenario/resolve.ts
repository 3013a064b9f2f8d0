/** The file form of a scenario becomes the form that a run reads: plain numbers, absolute paths, every default filled in. */
import { resolve as resolvePath } from 'node:path';
import { FAULT_NAMES, type FaultName, type FaultOptions, type Faults, type Scenario } from './scenario.ts';
import type { ScenarioFile } from './schema.ts';

/** Folders and names that the file form leaves open. */
export interface ResolveContext {
  /** The name when the file has none. */
  readonly name: string;
  /** Paths in the file are relative to this folder. */
  readonly folder: string;
  /** The folder for `store`, where a flag gave it. Default: `folder`. */
  readonly storeFolder?: string | undefined;
}

/** Fills in what the schema cannot: the heartbeat (a third of the lease), the name, absolute paths. */
export function resolveScenario(file: ScenarioFile, context: ResolveContext): Scenario {
  const { workload, phases, faults } = file;
  return {
    name: file.name ?? context.name,
    description: file.description.trim(),
    store: resolveStore(file.store, context.storeFolder ?? context.folder),
    workers: file.workers,
    lanes: file.lanes,
    leaseMs: file.lease,
    heartbeatMs: file.heartbeat ?? Math.max(1, Math.round(file.lease / 3)),
    workload: {
      kind: workload.kind,
      module: workload.module === undefined ? undefined : resolvePath(context.folder, workload.module),
      task: { p50Ms: workload.task.p50, p95Ms: workload.task.p95 },
      slotShare: workload.slots,
      finals: workload.finals,
      zombies: workload.zombies,
      maxAttempts: workload.maxAttempts,
      hotKeys: workload.hotKeys,
      appendKeys: workload.appendKeys,
      followers: workload.followers,
      plans: workload.plans,
      tasks: workload.tasks,
    },
    phases: {
      leadIn: { minCompletes: phases.leadIn.completes, maxMs: phases.leadIn.max },
      main: { minMs: phases.main.min, maxMs: phases.main.max },
      healMaxMs: phases.heal.max,
      drainMaxMs: phases.drain.max,
      scanMaxMs: phases.scan.max,
    },
    faults:
      faults === 'off'
        ? undefined
        : {
            everyMs: faults.every,
            untouched: faults.untouched,
            weights: weightsOf(faults),
            steered: faults.steered,
            pauseLeases: faults.pauseLeases,
            options: resolveOptions(faults.options, context.folder),
          },
    obligations: file.obligations,
    minOpportunities: file.opportunities,
    check: { maxMs: file.check.time, maxMemoryMib: file.check.memory },
  };
}

type FileFaults = Exclude<ScenarioFile['faults'], 'off'>;

const weightsOf = (faults: FileFaults): Faults['weights'] =>
  Object.fromEntries(FAULT_NAMES.map((name) => [name, faults[name]])) as Record<FaultName, number>;

function resolveOptions(options: FileFaults['options'], folder: string): FaultOptions {
  const { delay, ...slow } = options.slow;
  const full = options['disk-full'];
  return {
    ...options,
    drain: { deadlineMs: options.drain.deadline },
    slow: { ...slow, delayMs: delay },
    'disk-full': {
      ...full,
      folder: full.folder === undefined ? undefined : resolvePath(folder, full.folder),
    },
  };
}

/** A path becomes absolute; a name (`sqlite`, `mutant:M01`) stays what it is. */
function resolveStore(store: string, folder: string): string {
  return isStorePath(store) ? resolvePath(folder, store) : store;
}

/** A store is a path when it has a slash or the ending of a module. */
export function isStorePath(store: string): boolean {
  return /[/\\]/.test(store) || /\.[cm]?[jt]s$/.test(store);
}
