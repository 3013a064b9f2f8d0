/** What a run is asked for, and what it tells while it goes on. The face that the command line calls. */
import type { Phase } from '../history/record.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import type { Results } from '../report/results.ts';
import type { ScenarioSource } from '../scenario/concern-place.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { StoreModuleRef } from '../store-module/ref.ts';

export type { StoreModuleRef };

/** Everything that decides a run. */
export interface RunOptions {
  readonly scenario: Scenario;
  /** Where its values were set: what is refused then says where. */
  readonly scenarioSource?: ScenarioSource | undefined;
  readonly seed: number;
  /** Folder that the run directory `SCENARIO/TIME-SEED` is made in. */
  readonly out: string;
  readonly storeModule: StoreModuleRef;
  /**
   * First abort: with reason `'interrupt'` the run heals, checks and writes a partial report. Whoever wants everything to
   * end at once ends the process; the guard ends the workers.
   */
  readonly signal: AbortSignal;
  /** Called a few times a second; must not throw. */
  readonly onProgress?: (progress: Progress) => void;
  /** Told of what will probably not work, once, before the run starts. */
  readonly onWarning?: (text: string) => void;
  /** Told of what is waited for, when the store lets the probe wait. */
  readonly onWaiting?: (text: string) => void;
  /** Ends main at the first violation seen. Default false. */
  readonly untilViolation?: boolean;
  /** Keeps what the store holds after a valid run too. Default false: it is kept only when there is something to look at. */
  readonly keepStore?: boolean;
}

/** What a run answers. */
export interface RunOutcome {
  readonly results: Results;
  /** The run directory. */
  readonly directory: string;
}

/** The run was interrupted before anything had started: there is nothing to report. */
export class StoppedBeforeStart extends Error {
  constructor() {
    super('Stopped before anything had started: there is no report.');
    this.name = 'StoppedBeforeStart';
  }
}

/**
 * Runs a scenario to its verdict.
 * @throws a UsageError for what is refused before anything starts.
 */
export type RunScenario = (options: RunOptions) => Promise<RunOutcome>;

/** How a saved history is judged again. */
export interface CheckOptions {
  /** Judge and tell the story of this item only. Default: all. */
  readonly item?: string | undefined;
  readonly signal?: AbortSignal;
  /** The run was interrupted; a saved history says so itself. */
  readonly interrupted?: boolean;
}

/**
 * Judges the history of a run directory again.
 * @throws a UsageError when the path is not a run directory.
 */
export type CheckDirectory = (path: string | readonly string[], options?: CheckOptions) => Promise<Results>;

/** A live picture of a run. */
export interface Progress {
  readonly phase: Phase;
  readonly phaseMs: number;
  readonly limitMs: number;
  readonly ops: number;
  readonly claims: number;
  readonly completes: number;
  readonly reclaims: number;
  /** Accepted commits of entries. */
  readonly commits: number;
  /** Confirmed faults by name. */
  readonly faults: Readonly<Record<string, number>>;
  readonly obligations: readonly ObligationResult[];
  readonly workers: readonly WorkerLight[];
}

/** One worker on the live display. */
export interface WorkerLight {
  readonly label: string;
  readonly state: 'up' | 'stopped' | 'starting' | 'down';
}
