/** What the coordinator tells a child process when it forks it, and what the two say to each other afterwards. */
import type { OperationName, Phase } from '../history/record.ts';
import type { WorkloadKind } from '../scenario/kind.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { UsageProblem } from '../scenario/usage-error.ts';
import type { Declares } from '../store-module/declares.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';

/** Environment variable with the URL of the store module: a spare process imports it before it has a job. */
export const PRELOAD_VARIABLE = 'FENCEPOST_PRELOAD';

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

export type Job = ProbeJob | PrepareJob | DestroyJob | WorkerJob | ScannerJob;

/** Coordinator to child. No operation ever goes this way. */
export type ToChild =
  /** The first message, and the only one that comes before anything else. */
  | { readonly type: 'job'; readonly job: Job }
  | { readonly type: 'phase'; readonly phase: Phase }
  /** Finish the tasks in hand, claim nothing more, then exit. */
  | { readonly type: 'retire' };

/** Child to coordinator. */
export type FromChild =
  | { readonly type: 'ready' }
  /** In drain: whether this worker has found nothing to claim for longer than any lease can last. */
  | { readonly type: 'quiet'; readonly quiet: boolean }
  | { readonly type: 'crash'; readonly message: string }
  | { readonly type: 'result'; readonly result: unknown }
  | { readonly type: 'refused'; readonly problems: readonly [UsageProblem, ...UsageProblem[]] };

/** Exit code of an uncaught error of our own: the run is a harness error. */
export const CRASHED_EXIT = 70;
/** Exit code of a worker that could not open its store: the run is inconclusive. */
export const STORE_UNREACHABLE_EXIT = 75;
