/**
 * The Store contract: what a store offers and what it promises. Types only, no code.
 *
 * A store is the subject of every test that Fencepost runs and the ground that the core stands on. Every method is
 * atomic and may answer at once or with a promise. A refusal is a value; a failure is thrown. A thrown error with
 * `definite === true` says that the call certainly had no effect; anything else thrown means "unknown".
 */

/** What JSON can carry. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json | undefined };

export type Awaitable<T> = T | PromiseLike<T>;

/** A definite answer: the call had its effect, or was refused and had none. */
export type Outcome<T> =
  | { readonly accepted: true; readonly value: T }
  | { readonly accepted: false; readonly refusal: Refusal };

/** Why a legal request was not granted. Stable codes; the words of the contract. */
export type RefusalCode =
  | 'held' // somebody holds an unexpired lease
  | 'empty' // nothing is eligible right now
  | 'stale' // the item was granted again under a higher generation
  | 'expired' // the caller's lease ran out, nobody has taken the item yet
  | 'not-held' // the item is not leased
  | 'completed' // the item is finished; it stays finished
  | 'dead' // the item's attempts are used up
  | 'unknown-item' // no such item
  | 'duplicate' // an item of that key exists
  | 'conflict' // the version is not the expected one
  | 'closed' // the store, or what the call is about, is closed
  | 'not-yet'; // before the item's not-before instant

export interface Refusal {
  readonly code: RefusalCode;
  /** What was expected, what was found. */
  readonly message: string;
  readonly holder?: string;
  readonly current?: number;
}

export interface Store {
  /** The store's clock in milliseconds. It decides every deadline; no client's clock does. */
  nowMs(): Awaitable<number>;
  readonly work?: WorkStore;
  readonly entries?: EntryStore;
  readonly feed?: Feed;
  /** Conflicts, refusals, reclaims and accepted calls since creation, by name. */
  counters?(): Awaitable<Readonly<Record<string, number>>>;
  close(): Awaitable<void>;
}

/** The work facet: items that can be leased. A store needs `claim` or `claimNext`; every other method is optional. */
export interface WorkStore {
  /** Adds items, all or none. A key that exists is refused as `duplicate`. */
  enqueue?(items: readonly NewItem[], call: Call): Awaitable<Outcome<void>>;
  /** Leases one given item. */
  claim?(key: string, by: Claimant): Awaitable<Outcome<Lease>>;
  /** Leases up to `limit` (default 1) of the earliest eligible items whose key starts with `prefix`. */
  claimNext?(
    prefix: string,
    by: Claimant & { readonly limit?: number },
  ): Awaitable<Outcome<readonly Lease[]>>;
  /** Moves the end of the lease to now + `extendMs` (default: the lease's own duration). Never shortens it. */
  heartbeat?(lease: Lease, call: Call & { readonly extendMs?: number }): Awaitable<Outcome<Lease>>;
  /** Stores the result and ends the lease in one step. The item is finished for good. */
  complete?(lease: Lease, call: Call & { readonly result: Json }): Awaitable<Outcome<void>>;
  /** Hands the item back after a real failure: open again, or dead when its attempts are used up. */
  nack?(lease: Lease, call: Call & { readonly error: string }): Awaitable<Outcome<void>>;
  /** Hands the item back unworked. */
  release?(lease: Lease, call: Call): Awaitable<Outcome<void>>;
  /** The operator's unstick: ends whatever lease stands on the item. Audited under `by`. */
  forceRelease?(key: string, call: Call & { readonly by: string }): Awaitable<Outcome<void>>;
  /** The whole truth in pages, in key order; used for the final read. */
  scan?(page: Page): Awaitable<readonly Item[]>;
}

export interface NewItem {
  readonly key: string;
  readonly payload: Json;
  /** Claims that may be granted before the item is dead. No limit when left out. */
  readonly maxAttempts?: number;
  /** An instant on the store's clock before which the item is not eligible. */
  readonly notBeforeMs?: number;
}

export interface Claimant {
  readonly owner: string;
  readonly leaseMs: number;
  /** Unique per call. */
  readonly request: string;
  /** On `claim`: the same owner may take its own live lease again, under a new generation that fences the old one. */
  readonly reacquire?: boolean;
}

export interface Call {
  /** Unique per call; the store keeps it with what it wrote, where it can. */
  readonly request: string;
}

export interface Lease {
  readonly key: string;
  readonly owner: string;
  /** What the store wants to see again. Opaque to everybody else. */
  readonly token: string;
  /** The fencing token as a number, where tokens are ordered. */
  readonly generation?: bigint;
  /** Which attempt at the item this grant is, from 1. */
  readonly attempt?: number;
  readonly acquiredAtMs?: number;
  readonly expiresAtMs?: number;
  readonly leaseMs: number;
  readonly payload?: Json;
  readonly kind?: 'fresh' | 'reclaimed' | 'reacquired';
  /** Handed back to the store, never recorded. */
  readonly private?: unknown;
}

export interface Item {
  readonly key: string;
  readonly state: ItemState;
  readonly generation?: bigint;
  readonly attempts?: number;
  readonly owner?: string;
  /** End of the lease, on a leased item: it may lie in the past while nobody has taken the item. */
  readonly expiresAtMs?: number;
  readonly result?: Json;
  /** Request id of the accepted completion, where the store shows it. */
  readonly completedBy?: string;
  /** Request id of the enqueue, where the store shows it. */
  readonly enqueuedBy?: string;
}

export type ItemState = 'open' | 'leased' | 'done' | 'dead';

/** A page in key order. `after` is the last key of the page before; `limit` is an integer >= 1. */
export interface Page {
  readonly after?: string;
  readonly limit: number;
}

/**
 * The entry facet: values under keys, each write a new version. Versions of a key start at 1, have no gaps, and never
 * restart: a delete is a version too, and the next write goes on from it.
 */
export interface EntryStore {
  /** The newest entry of a key. Undefined when the key was never written, or is deleted. */
  get(key: string): Awaitable<Entry | undefined>;
  /**
   * All writes in one step, or none. Answers the entries in the order of the writes. Checked in this order, the first "no" is
   * the answer: the fences of all writes, then `require`, then each `ifVersion`. Writes to one key count in their order:
   * the second sees the version that the first made. Without writes it only checks `require`.
   *
   * Refused as `conflict` when a version is not the expected one (`current` carries the one that was found); by a fence
   * as `stale`, `expired`, `not-held`, `completed`, `dead` or `unknown-item`. A refusal writes no entry and no event.
   */
  commit(writes: readonly Write[], options?: CommitOptions): Awaitable<Outcome<readonly Entry[]>>;
  /** Versions of a key below `before` (default: all), newest first, deletions among them. Shows what `keep` left. */
  history(key: string, page: HistoryPage): Awaitable<readonly Entry[]>;
  /** The newest entry of each key under the prefix, in key order. Deleted keys are absent. */
  list(prefix: string, page: Page): Awaitable<readonly Entry[]>;
}

export interface Write {
  readonly key: string;
  /** `append` adds and never conflicts; `set` replaces; `delete` leaves a version without a value, on an absent key too. */
  readonly op: 'append' | 'set' | 'delete';
  /** What JSON can carry. Needed by `append` and `set`, not allowed with `delete`. */
  readonly value?: Json;
  /** Label of the worker that writes. */
  readonly author: string;
  /** Unique per call; kept with the entry. */
  readonly request: string;
  /** The version that the key must have: 0 when absent or deleted. Not allowed with `append`. Left out: any. */
  readonly ifVersion?: number;
  /**
   * A lease that must stand, live and held by `author`, when the write happens; on this key or on another. The entry
   * carries its generation.
   */
  readonly fence?: Lease;
  /** A generation that is noted on the entry and never checked. Not allowed together with `fence`. */
  readonly generation?: bigint;
  /** `latest` drops the older versions of the key in the same step. Not allowed with `append`. @default 'all' */
  readonly keep?: 'all' | 'latest';
}

export interface CommitOptions {
  /** Versions that keys must have before the first write: 0 when absent or deleted. */
  readonly require?: readonly { readonly key: string; readonly version: number }[];
}

/** A page of a history. `before` is the last version of the page before; `limit` is an integer >= 1. */
export interface HistoryPage {
  readonly before?: number;
  readonly limit: number;
}

export interface Entry {
  readonly key: string;
  readonly version: number;
  /** `null` of a deletion. */
  readonly value: Json;
  readonly author: string;
  /** Generation of the lease that fenced the write, or the one that was noted. */
  readonly generation?: bigint;
  /** On the store's clock. */
  readonly createdAtMs: number;
  readonly request?: string;
  /** This version is a deletion. Only answers of `commit` and `history` show one. */
  readonly deleted?: true;
}

/** The feed: every accepted change of items and entries as an event, in the order in which they were committed. */
export interface Feed {
  /**
   * Up to `limit` events behind the cursor, in ascending id. Start with 0, go on with the cursor of the answer: no event is
   * ever skipped. Nothing is held open between two calls.
   */
  since(cursor: number, limit: number): Awaitable<FeedPage>;
  /** Forgets the events with an id below `beforeId`. Counters stay right, and no id is given out again. */
  trim?(beforeId: number): Awaitable<void>;
}

export interface FeedPage {
  readonly events: readonly Event[];
  /** The last id seen: that of the last event; where events are gone, the last id that is gone; else the one handed in. */
  readonly cursor: number;
  /** Id of the oldest event that is kept. Absent while none is. */
  readonly oldestId?: number;
  /** Events behind the cursor that was handed in are gone. */
  readonly gap?: true;
}

export interface Event {
  /** Ascending, never given out twice. */
  readonly id: number;
  /** On the store's clock. */
  readonly atMs: number;
  /**
   * Of entries `appended`, `set` or `deleted`, with the version. Of items, with the generation: `enqueued` (generation 0);
   * `claimed`, `reclaimed` or `reacquired` for a grant; `completed`, `nacked`, `released`, `force-released` for the end of a lease;
   * `dead`. A heartbeat has none. A store may leave kinds of items out; what it tells, it tells of every change (S22).
   */
  readonly kind: string;
  readonly key: string;
  /** The label that acted; empty where nobody is named. */
  readonly author: string;
  /** Version of the entry that was written. */
  readonly version?: number;
  /** Generation of the lease, or the one that is noted on the entry. */
  readonly generation?: bigint;
}

/** What a store module's default export is called with. */
export interface StoreOptions {
  /** Unique per run; a store keeps everything of one run under it. */
  readonly namespace: string;
  /** A folder for embedded stores, a URL for servers. */
  readonly location: string;
  /**
   * Called by a store that declares `pausePoints` inside each of its write transactions, at least once, with a name for the
   * place. Synchronous: the process may be stopped or killed in it.
   */
  readonly pausePoint?: (name: string) => void;
}

/** The write lock of a store, held by somebody who does nothing with it. */
export interface StoreHold {
  release(): Awaitable<void>;
}

/** A store module: what a user plugs in. The built-in stores are such modules too. */
export interface StoreModule {
  readonly declares?: Declarations;
  readonly default: (options: StoreOptions) => Awaitable<Store>;
  /** Runs once before any worker starts. */
  readonly prepare?: (options: StoreOptions) => Awaitable<void>;
  /** Runs once after everything has ended. */
  readonly destroy?: (options: StoreOptions) => Awaitable<void>;
  /**
   * Takes whatever keeps every writer of the store out, and keeps it until it is released. Runs in a process of its own.
   * Throws when it cannot be had.
   */
  readonly hog?: (options: StoreOptions) => Awaitable<StoreHold>;
}

/**
 * What a store promises (spec/checking.md 3.3). Left out means the default of each field; every verdict names the
 * declarations it used. What is not declared is measured, not judged.
 */
export interface Declarations {
  /** Who can share one store. Default `host`. */
  readonly sharedBy?: 'process' | 'host' | 'network';
  /**
   * The store runs inside the worker's process, so a call of a dead worker cannot act any more. Default false: it may
   * still sit in a socket buffer (spec/checking.md 3.4).
   */
  readonly embedded?: boolean;
  /** The module calls `options.pausePoint` inside each write transaction. Default false. */
  readonly pausePoints?: boolean;
  /** Whether items must be enqueued before a claim. Default `enqueued`. */
  readonly items?: 'enqueued' | 'on-demand';
  /** Whether a lower token is refused by the lease row (`lock`), by the resource, or not at all. Default `lock`. */
  readonly fencing?: 'none' | 'resource' | 'lock';
  /** Whether generations are ordered numbers. Default `ascending`. */
  readonly tokens?: 'ascending' | 'opaque' | 'none';
  readonly tokenScope?: 'item' | 'queue' | 'global';
  /** Whose clock ends a lease, and how far it may drift (share) or step (ms). Default `store-monotonic`, 0, 0. */
  readonly clock?: 'store-monotonic' | 'store-wall' | 'client-wall';
  readonly clockDrift?: number;
  readonly clockStepMs?: number;
  /** Lease ends may be early or late by this much through rounding. Default 1 ms. */
  readonly grainMs?: number;
  readonly minLeaseMs?: number;
  readonly maxLeaseMs?: number;
  /** How long a lapsed lease may stay unclaimable until the store's own sweep. Default 0: lazy, at the next claim. */
  readonly reapIntervalMs?: number;
  /** Whether holder calls after the end of the lease, before a re-grant, are refused. Default `refused`. */
  readonly lateCalls?: 'refused' | 'allowed-if-not-superseded';
  readonly releaseRefundsAttempt?: boolean;
  /** Whether `maxAttempts` of an item is honoured. Default true. */
  readonly maxAttempts?: boolean;
  /** `at-least-once` execution with one acceptance, or `at-most-once`. */
  readonly delivery?: 'at-least-once' | 'at-most-once';
  readonly order?: 'none' | 'fifo' | 'priority';
  readonly reads?: 'linearizable' | 'monotonic' | 'eventual';
  /** How long finished items stay readable: for ever, or this many ms. */
  readonly retentionMs?: number | 'forever';
  readonly dedupe?: boolean;
  readonly durability?: 'none' | 'process-crash' | 'power-loss';
  /** Whether `scan` shows the request ids that wrote an item. Default false. */
  readonly showsRequest?: boolean;
  /** The largest `limit` that one `claimNext` honours. Default 1. */
  readonly batch?: number;
  /** Codes of thrown errors (`error.code`) that certainly had no effect. Everything else is unknown. */
  readonly definiteErrors?: readonly string[];
}
