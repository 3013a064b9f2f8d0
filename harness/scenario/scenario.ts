/**
 * A scenario with every default filled in: what a run reads. The file form (units, shares, defaults) is in `schema.ts`;
 * this form has plain numbers whose names carry their unit, and goes into `scenario.resolved.yaml`.
 */

import type { WorkloadKind } from './kind.ts';

export interface Scenario {
  readonly name: string;
  readonly description: string;
  /** `sqlite`, `memory`, `mutant:M01`, or the path of a store module. */
  readonly store: string;
  readonly workers: number;
  /** Sequential clients inside one worker. */
  readonly lanes: number;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
  readonly workload: Workload;
  readonly phases: {
    /** The lead-in ends once this many completions (commits, where nothing is leased) were acknowledged: there must be something to lose. */
    readonly leadIn: { readonly minCompletes: number; readonly maxMs: number };
    /** Main ends at `minMs` when every obligation is met, else runs on to `maxMs`. */
    readonly main: { readonly minMs: number; readonly maxMs: number };
    readonly healMaxMs: number;
    readonly drainMaxMs: number;
    readonly scanMaxMs: number;
  };
  /** Undefined when the faults are off. */
  readonly faults: Faults | undefined;
  /** Minima that differ from the defaults, by obligation part: `O1`, `O4.complete`. */
  readonly obligations: Readonly<Record<string, number>>;
  readonly check: { readonly maxMs: number; readonly maxMemoryMib: number };
}

export interface Workload {
  /** What the lanes do; with a module, the evidence that is asked of it. */
  readonly kind: WorkloadKind;
  /** A user's own workload module; undefined for the built-in ones. */
  readonly module: string | undefined;
  /** Simulated work: log-normal with these two percentiles. */
  readonly task: { readonly p50Ms: number; readonly p95Ms: number };
  /** Share of items that only one label claims (`slot/LABEL/…`), so that a twin meets the old holder. 0 to 1. */
  readonly slotShare: number;
  /** Weights of the call that ends a task. */
  readonly finals: { readonly complete: number; readonly release: number; readonly nack: number };
  /** Weights of what a worker does that has lost its lease. */
  readonly zombies: { readonly polite: number; readonly late: number; readonly stubborn: number };
  readonly maxAttempts: number;
  /** Keys that everybody writes under compare-and-set (register, feed, mixed). */
  readonly hotKeys: number;
  /** Keys that everybody appends to (log, feed, mixed). */
  readonly appendKeys: number;
  /** Lanes of each worker that follow the feed (feed, mixed). */
  readonly followers: number;
}

export const FAULT_NAMES = ['kill', 'pause', 'twin'] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

export interface Faults {
  /** Mean gap of a Poisson stream. */
  readonly everyMs: number;
  /** Workers that no fault touches at any time. */
  readonly untouched: number;
  readonly weights: Readonly<Record<FaultName, number>>;
  /** How long a stopped worker stays stopped, in leases. */
  readonly pauseLeases: { readonly min: number; readonly max: number };
}
