/**
 * A history in memory: typed columns, one row per operation and item, no object per record.
 *
 * An `enqueue` of three items and a `claimNext` that granted three are three rows that share a request. An operation that
 * touched no item known to us (an empty `claimNext`, one of unknown outcome) is one row with item -1.
 */
import type { PlanRefusalCode } from '../../src/plan/types.ts';
import type { ItemState, RefusalCode } from '../../src/store.ts';
import {
  OPERATIONS,
  type OperationName,
  type Phase,
  type PlanClaimRecord,
  type PlanVerbName,
} from './record.ts';

/** Codes of the `op` column. */
export const OP = Object.fromEntries(OPERATIONS.map((name, code) => [name, code])) as Record<
  OperationName,
  number
>;

/** Codes of the `outcome` column. `accepted` and `refused` are both definite answers (record type `ok`). */
export const OUTCOME = { accepted: 0, refused: 1, fail: 2, info: 3 } as const;
export type OutcomeName = keyof typeof OUTCOME;

/** Codes of the `code` column: why a call was refused. 255 where none applies. */
export const REFUSALS: readonly RefusalCode[] = [
  'held',
  'empty',
  'stale',
  'expired',
  'not-held',
  'completed',
  'dead',
  'unknown-item',
  'duplicate',
  'conflict',
  'closed',
  'not-yet',
];
export const NO_CODE = 255;

/** Why a verb of a plan was refused, beside the codes that stand above. They are kept with the verb, not in the column. */
export const PLAN_REFUSALS: readonly PlanRefusalCode[] = [
  'invalid',
  'no-plan',
  'in-progress',
  'unknown-task',
  'text-differs',
  'exhausted',
  'not-claimed',
  'not-yours',
  'owner-missing',
  'not-cancellable',
  'complete',
  'parked',
  'no-free-task',
];

/** Bits of the `flags` column. */
export const FLAG = {
  /** claim asked for `reacquire`. */
  reacquire: 1,
  /** The grant said of itself that it was a reclaim. */
  saidReclaimed: 2,
  /** Further rows of the same request follow or precede this one. */
  batch: 4,
  /** commit: this write appends, deletes; neither bit: it sets. */
  append: 8,
  delete: 16,
  /** commit: this write drops the older versions of its key. */
  latest: 32,
} as const;

/** The columns. All have the same length; a row index names an operation on an item. */
export interface Operations {
  readonly length: number;
  readonly op: Uint8Array;
  readonly outcome: Uint8Array;
  readonly incarnation: Uint32Array;
  readonly lane: Uint32Array;
  readonly call: Uint32Array;
  /** Nanoseconds. The effect cannot have happened before. */
  readonly inv: Float64Array;
  /**
   * Nanoseconds. The effect cannot have happened after. For `info`: the confirmed end of its process where the store is
   * embedded in it (spec/checking.md 3.4), else +Infinity.
   */
  readonly ret: Float64Array;
  /** Index into `keys`; -1 where no item is known. */
  readonly item: Int32Array;
  /**
   * Grants: the generation handed out. Holder calls: the one handed in. NaN where there is none. Order and equality
   * are exact; use `generationText` to show one.
   */
  readonly generation: Float64Array;
  /** Milliseconds. Grants: the lease as answered. Heartbeats: the extension asked for, else the lease as answered. NaN where there is none. */
  readonly leaseMs: Float64Array;
  /** End of the lease on the store's clock, as answered; NaN where there is none. */
  readonly expiresAtMs: Float64Array;
  /** Attempt as answered by a grant; `maxAttempts` of an enqueue (0 = no limit). 0 where there is none. */
  readonly attempt: Uint32Array;
  /** Index into `texts`: digest of the result (complete) or of the payload (enqueue, grant); -1 where there is none. */
  readonly value: Int32Array;
  /** Index into `owners`: the owner name of a grant, else of the caller. */
  readonly owner: Int32Array;
  readonly code: Uint8Array;
  readonly flags: Uint8Array;
  /**
   * commit, accepted: the version that the write made. get: the version that was read, 0 when absent. NaN elsewhere; and empty where
   * the history holds neither: a column of nothing is not kept.
   */
  readonly version: Float64Array;
}

/** A long list of views: each is made when it is asked for, and nothing holds it. A plain array is one too. */
export interface Rows<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
}

/** One item as the final scan showed it. */
export interface ScanRow {
  readonly item: number;
  readonly state: ItemState;
  /** Comparable with `Operations.generation`; NaN where there is none. */
  readonly generation: number;
  readonly attempts: number | undefined;
  /** Index into `texts`, -1 where there is none. */
  readonly value: number;
  readonly completedBy: string | undefined;
  readonly enqueuedBy: string | undefined;
  /** Row of the scan operation (its `inv` and `ret` bound the read). */
  readonly row: number;
}

/** One answered page of the feed. */
export interface FeedRead {
  /** Row of the `since` operation (its `inv` and `ret` bound the read). */
  readonly row: number;
  /** The cursor handed in, and the one answered. */
  readonly from: number;
  readonly to: number;
  readonly gap: boolean;
  readonly events: readonly FeedEvent[];
}

export interface FeedEvent {
  readonly id: number;
  readonly kind: string;
  /** Index into `keys`. */
  readonly item: number;
  /** NaN where there is none. */
  readonly version: number;
  /** Comparable with `Operations.generation`; NaN where there is none. */
  readonly generation: number;
}

/** An entry as a read showed it. */
export interface EntryRead {
  /** Index into `keys`. */
  readonly item: number;
  readonly version: number;
  /** Index into `texts`; -1 where there is none. */
  readonly value: number;
  readonly request: string | undefined;
  /** Row of the operation that read it. */
  readonly row: number;
}

/** One answered page of a key's history. */
export interface HistoryRead {
  /** Row of the `history` operation; its `item` is the key. */
  readonly row: number;
  /** Versions below this one were asked for; NaN: all. */
  readonly before: number;
  /** The page came to the oldest version that is kept. */
  readonly toTheEnd: boolean;
  /** Newest first. `value`: index into `texts`; -1 of a deletion. */
  readonly versions: readonly { readonly version: number; readonly value: number }[];
}

/** A verb of a plan. Its row has the times and the outcome, and names no item. */
export interface PlanVerb {
  readonly row: number;
  readonly verb: PlanVerbName;
  /** Index into `keys`: the entry that holds the plan. */
  readonly plan: number;
  /** Index of the task; of a claim the one that was handed out. Undefined where none is known. */
  readonly task: number | undefined;
  /** The claim that a close or a renewal was called with. */
  readonly generation: number | undefined;
  readonly epoch: number | undefined;
  readonly renew: boolean;
  /** NaN where none was asked for. */
  readonly leaseMs: number;
  readonly maxAttempts: number | undefined;
  /** What it writes and no other call does. */
  readonly value: string | undefined;
  /** When refused. */
  readonly code: RefusalCode | PlanRefusalCode | undefined;
  /** Of an accepted claim or renewal. */
  readonly claim: PlanClaimRecord | undefined;
}

/** A version of a plan as the scanner read it. */
export interface PlanVersion {
  readonly version: number;
  /** The stored document. */
  readonly content: unknown;
  /** Row of the `history` operation. */
  readonly row: number;
}

/** Every version of every plan, read at the end. */
export interface FinalPlans {
  /** By plan (index into `keys`), oldest first. */
  readonly versions: ReadonlyMap<number, readonly PlanVersion[]>;
  /** Each plan was read from its first version to its newest. */
  readonly complete: boolean;
  readonly startedAt: number;
}

/** A version that a commit required a key to have; 0: absent. */
export interface Required {
  /** Index into `keys`. */
  readonly item: number;
  readonly version: number;
}

/** One life of one worker process, as the supervisor and its own file tell it. Times in ns; undefined when not seen. */
export interface Incarnation {
  readonly id: number;
  readonly label: string;
  readonly role: 'worker' | 'scanner';
  readonly file: string;
  readonly pid: number | undefined;
  readonly why: 'start' | 'respawn' | 'twin' | undefined;
  readonly replaces: number | undefined;
  readonly spawnedAt: number | undefined;
  readonly readyAt: number | undefined;
  readonly exitedAt: number | undefined;
  readonly exitCode: number | null | undefined;
  readonly exitSignal: string | null | undefined;
  /** Signals of the supervisor, in order. `sentAt`: when the kernel had taken it; undefined when it did not. */
  readonly signals: readonly { readonly signal: string; readonly at: number; readonly sentAt?: number }[];
  /** Intervals in which the kernel was seen to have it stopped. `to` is +Infinity while it still is. */
  readonly stopped: readonly { readonly from: number; readonly to: number }[];
}

export interface FaultNote {
  readonly id: number;
  readonly fault: string;
  readonly stage: 'intent' | 'act' | 'confirm' | 'heal' | 'healed';
  readonly at: number;
  readonly incarnation: number | undefined;
  readonly label: string | undefined;
  readonly outcome: 'confirmed' | 'missed' | 'failed' | undefined;
  readonly detail: string | undefined;
}

/** What reading the files brought to light. `broken` makes the run a harness error, `incomplete` at best inconclusive. */
export interface ReadProblem {
  readonly kind: 'broken' | 'incomplete' | 'torn-tail' | 'shape' | 'crash';
  readonly file: string;
  /** 1-based; 0 where no line applies. */
  readonly line: number;
  readonly message: string;
}

/** One stage of an order that a worker carried out on itself. */
export interface OrderNote {
  readonly id: number;
  readonly fault: string;
  readonly stage: 'begin' | 'end';
  readonly at: number;
  readonly incarnation: number;
  readonly calls: number | undefined;
}

/** A worker stood at a step of a call, to be killed or stopped there. */
export interface CutNote {
  readonly id: number;
  readonly fault: string;
  readonly at: number;
  readonly incarnation: number;
  readonly boundary: 'before-send' | 'in-transaction' | 'after-send' | 'after-reply';
  readonly cut: 'kill' | 'stop';
  readonly op: OperationName | undefined;
  readonly lane: number | undefined;
  readonly call: number | undefined;
}

/** A wall clock as a worker read it. */
export interface WallReading {
  readonly incarnation: number;
  readonly at: number;
  readonly wallMs: number;
}

/** A stretch of time in which something outside of the workers had hold of the store. `to` is +Infinity while it still has. */
export interface Hold {
  readonly id: number;
  readonly fault: string;
  readonly from: number;
  readonly to: number;
}

export interface LoopSample {
  readonly incarnation: number;
  readonly at: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** Something that some rows have. */
export interface ByRow<T> {
  get(row: number): T | undefined;
}

export interface History {
  readonly ops: Operations;
  /** Item index → key. */
  readonly keys: readonly string[];
  /** Digests of values, interned. */
  readonly texts: Rows<string>;
  /** Owner names, interned. */
  readonly owners: readonly string[];
  /** The prefix that a `claimNext` row asked for, by row. */
  readonly prefixes: ByRow<string>;
  /** The `limit` that a `claimNext` row asked for, by row; absent means 1. */
  readonly limits: ByRow<number>;
  /** Not-before instants (store clock, ms) of enqueue rows, by row. */
  readonly notBefore: ReadonlyMap<number, number>;
  /** Opaque tokens of grants and holder calls as handed over, by row; only where the file gave one. */
  readonly tokens: ReadonlyMap<number, string>;
  /**
   * The token, else the generation as text, that the answer of an accepted heartbeat put in place of the one handed in, by
   * row; only where it differs.
   */
  readonly movedTo: ReadonlyMap<number, string>;
  /**
   * `tokens` with every renewed token followed back to that of its grant: rows with equal ones belong to one tenure. A row
   * whose token may stem from two grants is left out.
   */
  readonly tenureTokens: ReadonlyMap<number, string>;
  /** The item that a `claim` by key asked for, by row; only where it was given another one. */
  readonly askedItems: ReadonlyMap<number, number>;
  /** Error code and text of `fail` and `info` rows, by row. */
  readonly errors: ReadonlyMap<number, { readonly code: string; readonly message: string }>;
  readonly scan:
    | { readonly rows: Rows<ScanRow>; readonly complete: boolean; readonly startedAt: number }
    | undefined;
  /** The version that a commit's write asked for, by row; absent where it asked for none. */
  readonly ifVersions: ReadonlyMap<number, number>;
  /** The leased item whose lease a commit's write is fenced by, by row; absent where it is fenced by none. */
  readonly fences: ReadonlyMap<number, number>;
  /** What a commit required before its first write, by its first row; absent where it required nothing. */
  readonly requires: ReadonlyMap<number, readonly Required[]>;
  /** Pages of the histories of keys that workers read. */
  readonly histories: readonly HistoryRead[];
  /** Pages of the feed that workers read, in the order in which they were answered within each file. */
  readonly feed: readonly FeedRead[];
  /** Entries that workers' `list` operations showed. */
  readonly listed: readonly EntryRead[];
  /** Every entry and every event as the scanner read them at the end; undefined where the store has none, or it was not read. */
  readonly finalEntries:
    | { readonly rows: readonly EntryRead[]; readonly complete: boolean; readonly startedAt: number }
    | undefined;
  readonly finalFeed:
    | { readonly pages: readonly FeedRead[]; readonly complete: boolean; readonly startedAt: number }
    | undefined;
  /** Verbs of plans, in the order in which they were read. */
  readonly planVerbs: readonly PlanVerb[];
  /** Undefined where no plan was read at the end. */
  readonly finalPlans: FinalPlans | undefined;
  readonly incarnations: ReadonlyMap<number, Incarnation>;
  readonly phases: readonly { readonly phase: Phase; readonly at: number }[];
  readonly faults: readonly FaultNote[];
  readonly clockSamples: readonly { readonly at: number; readonly bootMs: number; readonly wallMs: number }[];
  readonly loop: readonly LoopSample[];
  readonly orders: readonly OrderNote[];
  readonly cuts: readonly CutNote[];
  readonly wall: readonly WallReading[];
  readonly holds: readonly Hold[];
  readonly problems: readonly ReadProblem[];
  /** Records read, all files together. */
  readonly records: number;
  /** Shows a value of the `generation` column as the store wrote it. */
  readonly generationText: (generation: number) => string;
}

/** `incarnation.lane.call`: the request id that goes to the store with the call. */
export const requestOf = (ops: Operations, row: number): string =>
  `${ops.incarnation[row]}.${ops.lane[row]}.${ops.call[row]}`;

/** Rows of each item in row order: `order[start[i] .. start[i + 1]]`. Counting sort, no comparison. */
export function groupByItem(ops: Operations, items: number): { start: Uint32Array; order: Uint32Array } {
  const start = new Uint32Array(items + 1);
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (item >= 0) start[item + 1]! += 1;
  }
  for (let i = 0; i < items; i++) start[i + 1]! += start[i]!;
  const next = start.slice();
  const order = new Uint32Array(start[items]!);
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (item >= 0) order[next[item]!++] = row;
  }
  return { start, order };
}
