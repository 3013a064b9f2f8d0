/**
 * The record types of a history file: the open NDJSON format that every client writes and the checkers read.
 *
 * One file per incarnation, one line per record, fixed key order. Every line of ours ends with a per-file sequence
 * number and a check sum, `"n":17,"c":"1f0a93c2"}`; files of other tools may leave both out. Times (`t`) are nanoseconds
 * of the host's monotonic clock as integers. docs/history-format.md is the reference; spec/checking.md 3.1, 3.2 the source.
 */
import type { PlanRefusalCode } from '../../src/plan/types.ts';
import type { ItemState, RefusalCode } from '../../src/store.ts';

/** Version of the format; written into every header. */
export const HISTORY_FORMAT = 1;

/** The operations of the work facet. */
export const WORK_OPERATIONS = [
  'enqueue',
  'claim',
  'claimNext',
  'heartbeat',
  'complete',
  'nack',
  'release',
  'forceRelease',
  'scan',
] as const;
export type WorkOperation = (typeof WORK_OPERATIONS)[number];

/** The operations of the Store contract that are recorded. */
export const STORE_OPERATIONS = [
  ...WORK_OPERATIONS,
  'commit',
  'get',
  'list',
  'history',
  'since',
  'trim',
] as const;

/**
 * All operations that are recorded, in the order of their codes in memory: those of the Store contract, and `plan`, a verb of a
 * durable plan, which stands around the reads and commits that it makes.
 */
export const OPERATIONS = [...STORE_OPERATIONS, 'plan'] as const;
export type OperationName = (typeof OPERATIONS)[number];

/** The verbs of a plan that may write. */
export const PLAN_VERBS = [
  'setPlan',
  'addTasks',
  'cancelTask',
  'setTaskSchedule',
  'claimNext',
  'claimTask',
  'markDone',
  'markFailed',
] as const;
export type PlanVerbName = (typeof PLAN_VERBS)[number];

/** First line of every file. */
export interface HeaderRecord {
  readonly type: 'header';
  readonly format: number;
  readonly run: string;
  /** One life of one process; never reused within a run. */
  readonly incarnation: number;
  /** The owner name that this incarnation claims under. */
  readonly label: string;
  readonly role: 'worker' | 'scanner';
  readonly pid?: number;
  readonly host?: string;
  /** Monotonic and wall reading taken together, so that a person can read times. */
  readonly t: number;
  readonly wallMs?: number;
  /** Declarations of the store; for files that come without a run directory. */
  readonly declares?: unknown;
}

/** A call is about to leave the process. On disk before the call is made (rule R1). */
export interface InvokeRecord {
  readonly type: 'invoke';
  readonly t: number;
  /** One sequential client. An operation of unknown outcome retires its lane (R6). */
  readonly lane: number;
  /** Number of the call within the lane. `incarnation.lane.call` is the request id. */
  readonly call: number;
  readonly op: OperationName;
  /** claim, heartbeat, complete, nack, release, forceRelease. */
  readonly key?: string;
  /** claimNext. */
  readonly prefix?: string;
  readonly limit?: number;
  /** Holder calls: the generation handed in. A number, or decimal text beyond 2^53. */
  readonly generation?: number | string;
  /** Holder calls on stores without ordered tokens. */
  readonly token?: string;
  /** claim, claimNext: the lease asked for. heartbeat: the extension asked for, when one was. */
  readonly leaseMs?: number;
  readonly reacquire?: boolean;
  /** complete: digest of the result. */
  readonly value?: string;
  /** enqueue. */
  readonly items?: readonly EnqueuedItem[];
  /** commit. */
  readonly writes?: readonly WriteRecord[];
  /** commit: versions that keys had to have before its first write; 0: absent. */
  readonly require?: readonly { readonly key: string; readonly version: number }[];
  /** since. */
  readonly cursor?: number;
  /** history: versions below this one. trim: events with an id below this one. */
  readonly before?: number;
  /** plan. */
  readonly plan?: PlanCallRecord;
}

/** A verb of a plan as it was called. */
export interface PlanCallRecord {
  readonly verb: PlanVerbName;
  /** The entry that holds the plan. */
  readonly key: string;
  /** Index of the task; claimNext, setPlan and addTasks name none. */
  readonly task?: number;
  /** The claim that a close or a renewal was called with. */
  readonly generation?: number;
  readonly epoch?: number;
  readonly renew?: boolean;
  /** claimNext, claimTask: how long the claim is to stand. */
  readonly leaseMs?: number;
  /** Claims and closes: hand-outs after which the caller has a task parked. */
  readonly maxAttempts?: number;
  /** What it writes and no other call does: a result, an error, a reason, the beginning of new tasks. */
  readonly value?: string;
}

/** What a claim of a plan was answered with. */
export interface PlanClaimRecord {
  readonly task: number;
  readonly generation: number;
  readonly epoch: number;
  readonly attempts: number;
  readonly kind: 'claimed' | 'renewed';
  /** Tasks that the call parked on the way. */
  readonly parked: number;
}

/** One write of a commit. */
export interface WriteRecord {
  readonly key: string;
  readonly op: 'append' | 'set' | 'delete';
  /** Digest of the value; absent for a deletion. */
  readonly value?: string;
  readonly ifVersion?: number;
  /** Key of the leased item that the write is fenced by; then the generation of that lease, or its token where there is none. */
  readonly fence?: string;
  readonly generation?: number | string;
  readonly token?: string;
  /** It drops the older versions of its key. */
  readonly keep?: 'latest';
}

/** An entry as a commit made it, or a read showed it. */
export interface EntryRecord {
  readonly key: string;
  readonly version: number;
  /** Digest of the value; absent for a deletion. */
  readonly value?: string;
  readonly author?: string;
  readonly request?: string;
  /** history of the scanner: the value itself, where its content is judged (plans). */
  readonly content?: unknown;
}

/** An event as the feed showed it. */
export interface EventRecord {
  readonly id: number;
  readonly kind: string;
  readonly key: string;
  readonly version?: number;
  readonly generation?: number | string;
}

export interface EnqueuedItem {
  readonly key: string;
  /** Digest of the payload. */
  readonly value: string;
  readonly maxAttempts?: number;
  /** Instant on the store's clock. */
  readonly notBeforeMs?: number;
}

/** A definite answer came: accepted, or refused (which certainly had no effect). */
export interface OkRecord {
  readonly type: 'ok';
  readonly t: number;
  readonly lane: number;
  readonly call: number;
  readonly accepted: boolean;
  /** When refused. */
  readonly code?: RefusalCode | PlanRefusalCode;
  readonly holder?: string;
  readonly current?: number;
  /** claim, claimNext, heartbeat. */
  readonly leases?: readonly LeaseRecord[];
  /** scan. */
  readonly rows?: readonly RowRecord[];
  /** commit: in the order of the writes. get: none or one. list: in key order. history: newest first, deletions without a value. */
  readonly entries?: readonly EntryRecord[];
  /** since: what came, the cursor that it ended with, and whether the start was cut off. */
  readonly events?: readonly EventRecord[];
  readonly cursor?: number;
  readonly gap?: boolean;
  /** plan: an accepted claim or renewal. */
  readonly plan?: PlanClaimRecord;
}

export interface LeaseRecord {
  readonly key: string;
  readonly generation?: number | string;
  readonly token?: string;
  readonly owner?: string;
  readonly leaseMs: number;
  readonly attempt?: number;
  readonly acquiredAtMs?: number;
  readonly expiresAtMs?: number;
  /** Digest of the payload. */
  readonly value?: string;
  readonly kind?: 'fresh' | 'reclaimed' | 'reacquired';
}

/** One item as a scan showed it. */
export interface RowRecord {
  readonly key: string;
  readonly state: ItemState;
  readonly generation?: number | string;
  readonly attempts?: number;
  readonly owner?: string;
  /** Digest of the result. */
  readonly value?: string;
  readonly completedBy?: string;
  readonly enqueuedBy?: string;
}

/** `fail`: the call certainly had no effect. `info`: unknown, it may act once at any time from its invoke on. */
export interface ErrorRecord {
  readonly type: 'fail' | 'info';
  readonly t: number;
  readonly lane: number;
  readonly call: number;
  readonly error: { readonly code: string; readonly message: string };
}

/** How late the event loop ran since the record before; one a second. */
export interface LoopRecord {
  readonly type: 'loop';
  readonly t: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/**
 * What became of an order of the supervisor: this process is about to do it to itself (`begin`, written before), or it is over
 * and undone (`end`, written after).
 */
export interface OrderRecord {
  readonly type: 'order';
  readonly t: number;
  /** The fault of the supervisor's file. */
  readonly id: number;
  readonly fault: string;
  readonly stage: 'begin' | 'end';
  /** end: calls that it was done to, where it is done to calls. */
  readonly calls?: number;
}

/** The process stands at a step of a call where it was ordered to be killed or stopped, and is so the next moment. */
export interface AtRecord {
  readonly type: 'at';
  readonly t: number;
  readonly id: number;
  readonly fault: string;
  readonly boundary: 'before-send' | 'in-transaction' | 'after-send' | 'after-reply';
  readonly cut: 'kill' | 'stop';
  /** The call, where it is known. */
  readonly op?: OperationName;
  readonly lane?: number;
  readonly call?: number;
  /** in-transaction: the name that the store gave to the point. */
  readonly point?: string;
}

/** The wall clock as this process's code reads it, taken together with `t`. */
export interface WallRecord {
  readonly type: 'wall';
  readonly t: number;
  readonly wallMs: number;
}

/** Records of what a process did to itself under orders. */
export type NoteRecord = OrderRecord | AtRecord | WallRecord;

/** Something of our own went wrong in this process: the run is a harness error. */
export interface CrashRecord {
  readonly type: 'crash';
  readonly t: number;
  readonly lane?: number;
  readonly message: string;
  readonly stack?: string;
}

/** The store answered with the wrong shape. The operation is `info`; the run is at best inconclusive. */
export interface ShapeRecord {
  readonly type: 'shape';
  readonly t: number;
  readonly lane: number;
  readonly call: number;
  readonly op: OperationName;
  readonly message: string;
}

/** Last line of a file whose process ended in order. */
export interface EndRecord {
  readonly type: 'end';
  readonly t: number;
  /** Records written before this one. */
  readonly records: number;
}

export type ClientRecord =
  | HeaderRecord
  | InvokeRecord
  | OkRecord
  | ErrorRecord
  | LoopRecord
  | NoteRecord
  | CrashRecord
  | ShapeRecord
  | EndRecord;

export const PHASES = ['prepare', 'lead-in', 'main', 'heal', 'drain', 'scan', 'done'] as const;
export type Phase = (typeof PHASES)[number];

/** What the supervisor saw and did, in its own file `supervisor.ndjson`. */
export type SupervisorRecord =
  | {
      readonly type: 'run';
      readonly format: number;
      readonly run: string;
      readonly t: number;
      readonly wallMs: number;
      readonly seed: number;
      readonly scenario: unknown;
      readonly declares: unknown;
      /** Methods that the store has. */
      readonly methods: readonly OperationName[];
    }
  | { readonly type: 'phase'; readonly t: number; readonly phase: Phase }
  | {
      readonly type: 'spawn';
      readonly t: number;
      readonly incarnation: number;
      readonly label: string;
      readonly role: 'worker' | 'scanner';
      readonly pid: number;
      readonly file: string;
      /** The incarnation whose place it takes, and why. */
      readonly replaces?: number;
      readonly why?: 'start' | 'respawn' | 'twin';
    }
  | { readonly type: 'ready'; readonly t: number; readonly incarnation: number }
  /** A signal that the supervisor is about to send. An exit by SIGKILL without one before it was not ours (F10). */
  | { readonly type: 'signal'; readonly t: number; readonly incarnation: number; readonly signal: string }
  /** The kernel took the signal: `kill(2)` returned. After a SIGKILL the process runs none of its own code any more. */
  | { readonly type: 'sent'; readonly t: number; readonly incarnation: number; readonly signal: string }
  /** A process state that was read from the kernel. */
  | {
      readonly type: 'state';
      readonly t: number;
      readonly incarnation: number;
      readonly state: 'stopped' | 'running';
    }
  | {
      readonly type: 'exit';
      readonly t: number;
      readonly incarnation: number;
      readonly code: number | null;
      readonly signal: string | null;
    }
  /** A fault's own account of itself. Obligations never read it; people do. */
  | {
      readonly type: 'fault';
      readonly t: number;
      readonly id: number;
      readonly fault: string;
      readonly stage: 'intent' | 'act' | 'confirm' | 'heal' | 'healed';
      readonly incarnation?: number;
      readonly label?: string;
      readonly outcome?: 'confirmed' | 'missed' | 'failed';
      readonly detail?: string;
    }
  /** Something outside of the workers has hold of the store, or has let go of it: its lock, the room on its disk. */
  | {
      readonly type: 'hold';
      readonly t: number;
      readonly id: number;
      readonly fault: string;
      readonly held: boolean;
    }
  /** Monotonic, since-boot and wall clock read together: a suspend or a step shows as a jump between two of them. */
  | { readonly type: 'clock'; readonly t: number; readonly bootMs: number; readonly wallMs: number }
  | { readonly type: 'note'; readonly t: number; readonly text: string }
  /** Every file of the run with the number of records that its last line carried. Written when the run ended in order. */
  | {
      readonly type: 'manifest';
      readonly t: number;
      readonly files: readonly ManifestFile[];
      readonly interrupted?: boolean;
    };

export interface ManifestFile {
  readonly file: string;
  readonly incarnation: number;
  /** Bytes on disk when the run ended. */
  readonly bytes: number;
  /** Records the process said it wrote, where it ended in order. */
  readonly records?: number;
}
