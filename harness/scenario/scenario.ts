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
  /** So many opportunities every guarantee must have had that can be judged; 0: no such demand. */
  readonly minOpportunities: number;
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
  /** Plans that everybody works on, and tasks of a new one (plan). */
  readonly plans: number;
  readonly tasks: number;
}

export const FAULT_NAMES = [
  'kill',
  'pause',
  'twin',
  'drain',
  'starve',
  'skew',
  'slow',
  'lose-reply',
  'hog',
  'stall',
  'disk-full',
  'crash-point',
] as const;
export type FaultName = (typeof FAULT_NAMES)[number];

export interface Faults {
  /** Mean gap of a Poisson stream. */
  readonly everyMs: number;
  /** Workers that no fault touches at any time. */
  readonly untouched: number;
  readonly weights: Readonly<Record<FaultName, number>>;
  /** Evidence that is still missing chooses the kinds, instead of the weights alone. */
  readonly steered: boolean;
  /** How long a stopped worker stays stopped, in leases. */
  readonly pauseLeases: Range;
  readonly options: FaultOptions;
}

/** Drawn between the two, both included. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Where a call can be cut off: between which two steps of it. `in-transaction` needs a store that offers pause points. */
export const BOUNDARIES = ['before-send', 'in-transaction', 'after-send', 'after-reply'] as const;
export type Boundary = (typeof BOUNDARIES)[number];

/** What happens there. */
export const CUTS = ['kill', 'stop'] as const;
export type Cut = (typeof CUTS)[number];

/** Who is killed, and when. */
export const KILL_KINDS = ['holder', 'random', 'burst', 'all', 'starting'] as const;
export type KillKind = (typeof KILL_KINDS)[number];

/** What a wall clock does. */
export const SKEW_KINDS = ['offset', 'rate', 'step'] as const;
export type SkewKind = (typeof SKEW_KINDS)[number];

/** What one fault can be told beside its weight. Every length that is counted in leases is a multiple of `leaseMs`. */
export interface FaultOptions {
  readonly kill: {
    /** Weights. */
    readonly who: Readonly<Record<KillKind, number>>;
    /** A holder is killed when this share of its lease is over; one is drawn. Empty: as soon as there is one. */
    readonly at: readonly number[];
    /** Workers of one burst, at most. */
    readonly burst: number;
  };
  readonly drain: { readonly deadlineMs: number };
  readonly starve: { readonly leases: Range };
  readonly skew: {
    /** Weights. */
    readonly kinds: Readonly<Record<SkewKind, number>>;
    /** How far a clock is moved, forward or back, in leases. */
    readonly by: Range;
    /** How long it stays so, in leases. */
    readonly leases: Range;
  };
  readonly slow: {
    /** Share of the calls. 0 to 1. */
    readonly share: number;
    readonly delayMs: Range;
    readonly leases: Range;
  };
  readonly 'lose-reply': { readonly share: number; readonly leases: Range };
  readonly hog: { readonly leases: Range };
  readonly 'disk-full': {
    /** A file system of its own that the store is put on; undefined when there is none. */
    readonly folder: string | undefined;
    readonly leases: Range;
  };
  readonly 'crash-point': {
    /** Operations; empty: all that the workload makes. */
    readonly ops: readonly string[];
    readonly boundaries: readonly Boundary[];
    readonly cuts: readonly Cut[];
    /** Main goes on until each combination of the three was hit (O13.matrix). */
    readonly all: boolean;
  };
}
