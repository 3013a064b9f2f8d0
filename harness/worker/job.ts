/** What the coordinator tells a child process when it forks it, and what the two say to each other afterwards. */
import type { OperationName, Phase } from '../history/record.ts';
import type { WorkloadKind } from '../scenario/kind.ts';
import type { Boundary, Cut, Range, Scenario } from '../scenario/scenario.ts';
import type { UsageProblem } from '../scenario/usage-error.ts';
import type { Declares } from '../store-module/declares.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';

/** Environment variable with the URL of the store module: a spare process imports it before it has a job. */
export const PRELOAD_VARIABLE = 'FENCEPOST_PRELOAD';
/** Environment variable that is set where the wall clock of this process is to be skewed: it is replaced before the store module is loaded. */
export const SKEWABLE_VARIABLE = 'FENCEPOST_SKEWABLE';

interface StoreJob {
  readonly store: StoreModuleRef;
  readonly namespace: string;
  readonly location: string;
}

/** Loads the module and tries the store in a scratch namespace. */
export interface ProbeJob extends StoreJob {
  readonly kind: 'probe';
  /** What the store must be able to do. */
  readonly workload: WorkloadKind;
}

/** Runs the module's `prepare`, and makes sure that the namespace is empty. */
export interface PrepareJob extends StoreJob {
  readonly kind: 'prepare';
}

/** Runs the module's `destroy`. */
export interface DestroyJob extends StoreJob {
  readonly kind: 'destroy';
}

/** Takes what keeps every writer out (`hog` of the module), and keeps it until told to let go. */
export interface HogJob extends StoreJob {
  readonly kind: 'hog';
  /** It lets go by itself after this time: whoever should tell it may be gone. */
  readonly limitMs: number;
}

/** Claims and works until told to stop. */
export interface WorkerJob extends StoreJob {
  readonly kind: 'worker';
  readonly run: string;
  readonly incarnation: number;
  readonly label: string;
  /** How many incarnations of this label there were before: names the random streams. */
  readonly life: number;
  readonly historyDirectory: string;
  readonly declares: Declares;
  readonly methods: readonly OperationName[];
  readonly scenario: Scenario;
  readonly seed: number;
  readonly phase: Phase;
  /** When the run's first phase began, ms of the monotonic clock. */
  readonly startedAtMs: number;
  /** URL of a user's workload module, when the scenario names one. */
  readonly workloadUrl: string | undefined;
}

/** Reads the whole store once, in pages, when everybody else has ended. */
export interface ScannerJob extends Omit<WorkerJob, 'kind'> {
  readonly kind: 'scanner';
}

export type Job = ProbeJob | PrepareJob | DestroyJob | HogJob | WorkerJob | ScannerJob;

/** What a worker is ordered to do to itself. `id`: the fault. It writes an `order` record before and after, or an `at` record. */
export type FaultOrder =
  | { readonly id: number; readonly fault: 'starve'; readonly ms: number }
  | {
      readonly id: number;
      readonly fault: 'skew';
      /** From now on the wall clock is off by `offsetMs`, and goes off by `rate` ms more each ms. */
      readonly offsetMs: number;
      readonly rate: number;
    }
  | {
      readonly id: number;
      readonly fault: 'slow';
      readonly share: number;
      readonly delayMs: Range;
    }
  | { readonly id: number; readonly fault: 'lose-reply'; readonly share: number }
  | CutOrder;

/** Be killed or stopped the next time that a call comes to this step. */
export interface CutOrder {
  readonly id: number;
  readonly fault: 'stall' | 'crash-point';
  readonly boundary: Boundary;
  readonly cut: Cut;
  /** Only in calls of this kind; left out: in any. */
  readonly op?: OperationName;
  /** in-transaction: how many pause points are let go by first. */
  readonly skip?: number;
}

/** Coordinator to child. No operation ever goes this way. */
export type ToChild =
  /** The first message, and the only one that comes before anything else. */
  | { readonly type: 'job'; readonly job: Job }
  | { readonly type: 'phase'; readonly phase: Phase }
  /** Finish the tasks in hand, claim nothing more, then exit. */
  | { readonly type: 'retire' }
  | { readonly type: 'order'; readonly order: FaultOrder }
  /** Undo the order of this id. */
  | { readonly type: 'heal'; readonly id: number }
  /** To a hog: let go. */
  | { readonly type: 'release' };

/** Child to coordinator. */
export type FromChild =
  | { readonly type: 'ready' }
  /** In drain: whether this worker has found nothing to claim for longer than any lease can last. */
  | { readonly type: 'quiet'; readonly quiet: boolean }
  /** A hog has hold of the store, could not have it, or has let go. */
  | { readonly type: 'hold'; readonly held: boolean; readonly problem?: string }
  | { readonly type: 'crash'; readonly message: string }
  /** Probe, prepare, destroy: what of the store is waited for from here on. */
  | { readonly type: 'step'; readonly what: string }
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'refused'; readonly problems: readonly [UsageProblem, ...UsageProblem[]] };

/** Exit code of an uncaught error of our own: the run is a harness error. */
export const CRASHED_EXIT = 70;
/** Exit code of a worker that could not open its store: the run is inconclusive. */
export const STORE_UNREACHABLE_EXIT = 75;
/** Exit code of a worker that could not write its history, such as on a full disk: the run is inconclusive. */
export const HISTORY_UNWRITABLE_EXIT = 74;
