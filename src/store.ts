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
  readonly result?: Json;
  /** Request id of the accepted completion, where the store shows it. */
  readonly completedBy?: string;
  /** Request id of the enqueue, where the store shows it. */
  readonly enqueuedBy?: string;
}

export type ItemState = 'open' | 'leased' | 'done' | 'dead';

/** A page in key order. `after` is the last key of the page before. */
export interface Page {
  readonly after?: string;
  readonly limit: number;
}

/** What a store module's default export is called with. */
export interface StoreOptions {
  /** Unique per run; a store keeps everything of one run under it. */
  readonly namespace: string;
  /** A folder for embedded stores, a URL for servers. */
  readonly location: string;
}

/** A store module: what a user plugs in. The built-in stores are such modules too. */
export interface StoreModule {
  readonly declares?: Declarations;
  readonly default: (options: StoreOptions) => Awaitable<Store>;
  /** Runs once before any worker starts. */
  readonly prepare?: (options: StoreOptions) => Awaitable<void>;
  /** Runs once after everything has ended. */
  readonly destroy?: (options: StoreOptions) => Awaitable<void>;
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
