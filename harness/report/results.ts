/**
 * `results.json`: everything a run concluded, in one stable shape. Readers ignore unknown fields; fields are added, never
 * changed in meaning, within one `schemaVersion`.
 */
import type { Finding } from '../checker/finding.ts';
import type { ObligationResult } from '../obligation/obligation.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Timeline } from './timeline.ts';

export const RESULTS_SCHEMA_VERSION = 1;

/** Compared with `=== 'valid'`, never by truth value. Merged, the worst wins, in this order. */
export const VERDICTS = ['valid', 'inconclusive', 'violated', 'harness-error'] as const;
export type Verdict = (typeof VERDICTS)[number];

export interface Results {
  readonly schemaVersion: number;
  readonly fencepost: string;
  readonly run: string;
  readonly scenario: string;
  readonly store: string;
  readonly seed: number | undefined;
  readonly startedAt: string | undefined;
  readonly verdict: Verdict;
  /** Why the verdict is not `valid`, worst first. Empty when it is. */
  readonly reasons: readonly Reason[];
  /** True after a Ctrl-C: the run is partial. */
  readonly interrupted: boolean;
  readonly guarantees: readonly GuaranteeResult[];
  readonly obligations: readonly ObligationResult[];
  /** What was said before the start: evidence that the scenario will probably not bring within its shortest main. */
  readonly warnings: readonly string[];
  /** What was not tested and why, one sentence each. */
  readonly notTested: readonly string[];
  /** What was counted and is judged by nobody, since the store declares that it promises nothing about it. */
  readonly observations: readonly Observation[];
  /** What every judgement rests on. */
  readonly assumed: readonly string[];
  readonly numbers: Numbers;
  readonly faults: readonly FaultCount[];
  /** What became of each call that was cut off at each step; left out where the scenario has no crash points. */
  readonly killMatrix?: readonly KillCell[];
  readonly phases: readonly { readonly phase: string; readonly ms: number }[];
  readonly workers: { readonly labels: number; readonly incarnations: number };
  /** The evidence that the history is whole: files, records, and what was wrong with them. */
  readonly history: {
    readonly files: number;
    readonly records: number;
    readonly operations: number;
    readonly unknown: number;
    readonly problems: readonly string[];
  };
  /** From the start of main to the last operation of the first witness. */
  readonly firstViolationMs: number | undefined;
  /** What happened to the workers of the witnesses; left out when there are none. */
  readonly timeline?: Timeline;
  readonly declares: Declares;
  readonly declaredScenario: Scenario | undefined;
}

export interface Reason {
  readonly verdict: Exclude<Verdict, 'valid'>;
  /** SCREAMING_SNAKE, stable. */
  readonly code: string;
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/** One combination of the kill matrix. */
export interface KillCell {
  readonly op: string;
  readonly boundary: string;
  readonly cut: 'kill' | 'stop';
  /** Workers that were seen killed or stopped there. */
  readonly hits: number;
  /** Violations whose witness holds a call that was cut off there, or its item. */
  readonly violations: number;
  readonly verdict: 'held' | 'broken' | 'not hit';
}

export interface GuaranteeResult extends Finding {
  readonly name: string;
  readonly statement: string;
  readonly opportunity: string;
  readonly notProven: string;
  /** 3 / opportunities: at most this share of opportunities fails, at 95 % (rule of three). Undefined without any. */
  readonly atMost: number | undefined;
  readonly verdict: 'held' | 'broken' | 'no opportunity' | 'not tested';
}

/** Milliseconds. Undefined where there are no samples: never NaN, never 0 in place of "none". */
export interface Percentiles {
  readonly count: number;
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly p99: number | undefined;
  readonly max: number | undefined;
}

/** Every number is defined in docs/numbers.md. */
export interface Numbers {
  readonly mainMs: number | undefined;
  readonly claims: number;
  readonly completes: number;
  readonly heartbeats: number;
  readonly reclaims: number;
  /** Refused because of somebody else ÷ definite answers, `empty` left out. */
  readonly conflictRate: number | undefined;
  /** Reclaims ÷ grants. */
  readonly reclaimRate: number | undefined;
  /** Items whose work was run to its end under two or more generations. */
  readonly workDoneTwice: number;
  /** How the leases of the reclaims came to run out. */
  readonly leasesLost: LostLeases;
  /** How long two holders of one item believed in it at once (S18); never judged. */
  readonly believedByTwo: Percentiles;
  readonly staleRefused: {
    readonly complete: number;
    readonly heartbeat: number;
    readonly release: number;
    readonly nack: number;
  };
  readonly latency: {
    readonly claim: Percentiles;
    readonly heartbeat: Percentiles;
    readonly complete: Percentiles;
  };
  readonly task: Percentiles;
  /** From the end of a lapsed lease to the next grant. */
  readonly reclaimDelay: Percentiles;
  readonly loopLag: Percentiles;
  /** Left out for a run that wrote no entries. */
  readonly board?: BoardNumbers;
  /** Left out for a run that worked on no plans. */
  readonly plans?: PlanNumbers;
}

/** Leases that ran out, by what became of their holder meanwhile. */
export interface LostLeases {
  readonly died: number;
  /** Its process was seen stopped. */
  readonly stopped: number;
  /** Its event loop ran late by more than a quarter of the lease: by the load of this machine, not by the store. */
  readonly starved: number;
  readonly otherwise: number;
}

/** Durable plans, in main. */
export interface PlanNumbers {
  /** Accepted claims; those of a task that had been handed out before among them. */
  readonly handOuts: number;
  readonly handedOutAgain: number;
  /** Accepted `markDone`. */
  readonly results: number;
  /** Accepted `markFailed`. */
  readonly handedBack: number;
  readonly renewals: number;
  readonly cancelled: number;
  readonly rescheduled: number;
  /** Refused `markDone` and `markFailed`. */
  readonly closesRefused: number;
  /** Verbs without a definite answer. */
  readonly unknown: number;
}

/** Entries and the feed, in main. */
export interface BoardNumbers {
  /** Accepted commits; one counts once, whatever the number of its writes. */
  readonly commits: number;
  /** Commits refused because a version was another. */
  readonly conflicts: number;
  /** Conflicts ÷ definite answers of commits. */
  readonly conflictRate: number | undefined;
  /** Accepted writes that append. */
  readonly appends: number;
  /** Events that followers were shown, each as often as one of them was. */
  readonly eventsFollowed: number;
  /** How long an accepted commit took. */
  readonly commit: Percentiles;
}

/** How often something was seen that would be a violation in a store that promises more. */
export interface Observation {
  /** Stable, in words with dashes: `stale-calls-accepted`. */
  readonly id: string;
  /** What was counted, and why it is not judged; goes on from a number: "stale calls were accepted; …". */
  readonly statement: string;
  readonly seen: number;
  /** Out of how many. 0: there was nothing to count. */
  readonly of: number;
}

export interface FaultCount {
  readonly fault: string;
  readonly confirmed: number;
  readonly missed: number;
  readonly failed: number;
}
