/** What a worker sees of a board. Types only. */
import type { Awaitable, Entry, FeedPage, Item, Json, Lease, Outcome, Refusal, Store } from '../store.ts';
import type { BoardConfigInput } from './config.ts';
import type { ViewOptions } from './view/options.ts';

/** Options of `createBoard`. */
export interface BoardOptions {
  /** Any store of the contract with entries and a feed; `claim` and its kin need a work facet too. */
  readonly store: Store;
  /** Label of the first handle. @default 'anonymous' */
  readonly label?: string;
  /** Which keys there are, who writes them and how; first match wins. @default `DEFAULT_NAMESPACES` */
  readonly namespaces?: BoardConfigInput['namespaces'];
  /**
   * How long a lease lasts, in ms: one duration, or one for each kind of item by pattern. Without it every `claim` has to
   * say. There is no default: measure your tasks, three times their p95 is the rule.
   */
  readonly leaseMs?: BoardConfigInput['leaseMs'];
  /** Whom a persistent conflict is addressed to. @default 'orchestrator' */
  readonly orchestrator?: string;
  /**
   * Whether handles record how often they read what others wrote, as `reads/LABEL`: one small write for each view, and one
   * at `close`. What a killed process had not written yet is missing, so the numbers are lower bounds. @default false
   */
  readonly recordReads?: boolean;
  /** Makes the request id of a call: unique for ever. @default `crypto.randomUUID` */
  readonly requestId?: () => string;
}

/** What a write may ask for. */
export interface WriteOptions {
  /**
   * The lease under which the write is made. On a leased key it is the fence, and needed. On any other key its generation
   * is stored as a note and never checked: a worker whose lease lapsed may still hand over what it found.
   */
  readonly lease?: Lease;
}

/** What `set` may ask for. */
export interface SetOptions extends WriteOptions {
  /**
   * The version that the key must have, 0 when absent. Left out: any version, except on a single-writer key, where it may
   * be left out only while the key is absent.
   */
  readonly ifVersion?: number;
}

/** An update that lost every one of its tries. Somebody has been told: `notice` is the entry addressed to them. */
export interface PersistentConflict extends Omit<Refusal, 'code'> {
  readonly code: 'persistent-conflict';
  readonly tries: number;
  readonly notice: Entry;
}

/** Answer of `update`. */
export type UpdateOutcome =
  | { readonly accepted: true; readonly value: Entry }
  | { readonly accepted: false; readonly refusal: Refusal | PersistentConflict };

/**
 * One worker's handle on a board. A conflict and every other refusal is a value, and a normal outcome. Thrown are misuse
 * (`NO_NAMESPACE`, `PERMISSION_DENIED`, `WRONG_MODE`, `INVALID_ARGUMENT`) and failures of the store.
 *
 * The label authenticates nobody: the board stops mistakes, not attackers.
 */
export interface Board {
  /** Author of this handle's writes, owner of its leases. */
  readonly label: string;

  /**
   * The same board for another worker: same store, same clock, same connection.
   *
   * @throws FencepostError `INVALID_ARGUMENT`: a label is non-empty, without slash, glob character or white space
   */
  asWorker(label: string): Board;

  /** The newest entry of a key, whoever wrote it. What `complete` stored is read with `item`. */
  get(key: string): Promise<Entry | undefined>;

  /**
   * Adds an entry. Answers the entry that was written, not whatever is newest a moment later.
   *
   * @throws FencepostError `NO_NAMESPACE`, `PERMISSION_DENIED`, `WRONG_MODE`, `INVALID_ARGUMENT`; failures of the store
   */
  append(key: string, value: Json, options?: WriteOptions): Promise<Outcome<Entry>>;

  /**
   * Writes a new version. Refused as `conflict` when the version is not the expected one: re-read and reconcile.
   *
   * @throws FencepostError as `append`
   */
  set(key: string, value: Json, options?: SetOptions): Promise<Outcome<Entry>>;

  /**
   * Reads, transforms, sets; after a conflict again, at most 3 more times. Then a notice is appended for the
   * orchestrator, as `notices/ORCHESTRATOR/persistent-conflict`, and the answer is a `persistent-conflict`.
   *
   * `change` may run up to four times. It gets undefined for an absent key.
   *
   * @throws FencepostError as `append`; what `change` throws
   */
  update(
    key: string,
    change: (value: Json | undefined) => Awaitable<Json>,
    options?: WriteOptions,
  ): Promise<UpdateOutcome>;

  /** The versions of a key, newest first. `before` pages on. `limit` @default 50 */
  history(
    key: string,
    page?: { readonly before?: number; readonly limit?: number },
  ): Promise<readonly Entry[]>;

  /** Keys with an entry, in key order. @param pattern only those it matches, such as `facts/*` */
  keys(pattern?: string): Promise<readonly string[]>;

  /** Events behind a cursor, in ascending id. Start with 0, go on with `cursor` of the answer. `limit` @default 1000 */
  since(cursor: number, limit?: number): Promise<FeedPage>;

  /**
   * Leases an item. A live lease of another worker is refused as `held`, naming holder and deadline. The holder itself is
   * granted a new generation (`kind: 'reacquired'`), which fences out its older handle.
   *
   * @throws FencepostError `NO_NAMESPACE`, `WRONG_MODE`; `INVALID_ARGUMENT` also when nobody said how long
   */
  claim(key: string, options?: { readonly leaseMs?: number }): Promise<Outcome<Lease>>;

  /**
   * Extends a lease to now + `extendMs` (default: the lease's own duration); never shortens it. Go on with the lease of the
   * answer. Any refusal means that the lease is lost: stop writing at once.
   */
  heartbeat(lease: Lease, options?: { readonly extendMs?: number }): Promise<Outcome<Lease>>;

  /** Hands the item back. A stale handle changes nothing. After expiry and before a new claim it is allowed. */
  release(lease: Lease): Promise<Outcome<void>>;

  /** Stores the result and ends the lease in one step. The item is finished for good. */
  complete(lease: Lease, result: Json): Promise<Outcome<void>>;

  /** The operator's unstick: ends whatever lease stands on the item. An event names this handle's label. */
  forceRelease(key: string): Promise<Outcome<void>>;

  /** State, holder, generation and result of an item. Undefined when nobody ever claimed or enqueued it. */
  item(key: string): Promise<Item | undefined>;

  /**
   * Keys whose lease ran out and that nobody took yet, in key order. A claim takes them whether listed or not.
   *
   * @param nowMs @default the store's clock
   */
  reclaimable(nowMs?: number): Promise<readonly string[]>;

  /** Whether a lease is over: now >= its end. @param nowMs @default the store's clock */
  expired(lease: Lease, nowMs?: number): Promise<boolean>;

  /**
   * What others wrote, for this worker to read: see `viewFor`.
   *
   * @throws FencepostError `INVALID_ARGUMENT`
   */
  view(options: ViewOptions): Promise<string>;

  /** Writes what is still to be recorded of this handle. The store is its owner's to close. */
  close(): Promise<void>;
}
