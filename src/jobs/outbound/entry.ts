/** Outbound entries and what keeps them (spec/jobs.md D7). Types only. */
import type { Awaitable, Json } from '../../store.ts';
import type { Instance, InstanceStore } from '../store.ts';

/** `recovered`: its sender ended, or was taken for dead, between the claim and the mark, so it may have arrived. */
export type OutboundState = 'pending' | 'sending' | 'recovered' | 'sent' | 'failed' | 'permanent-failure';

/** Something to be sent to the outside. Instants are on the store's clock. */
export interface OutboundEntry {
  /** The idempotency key: one entry for each, for as long as it is kept. */
  readonly key: string;
  /** Entries of one lane go out in order, where the queue is strict. */
  readonly lane: string;
  readonly payload: Json;
  readonly state: OutboundState;
  readonly createdAtMs: number;
  /** Not sent before this instant. */
  readonly dueAtMs: number;
  readonly claimedAtMs: number | null;
  /** When it was sent, or failed for good. */
  readonly settledAtMs: number | null;
  readonly attempts: number;
  readonly error: string | null;
  /** It may have arrived already. Stays through all later tries. */
  readonly possibleDuplicate: boolean;
  /** The instance that is sending it. */
  readonly sender: string | null;
  readonly revision: number;
}

/** `strict`: an entry waits for all earlier ones of its lane. */
export type Ordering = 'strict' | 'best-effort';

/** What may be thrown away. */
export interface Retention {
  readonly settledBeforeMs: number;
  /** Entries beyond so many go, those that were sent first, then those that failed for good, oldest first. */
  readonly maxEntries: number;
}

/** Keeps outbound entries. As a job store: atomic, safe under concurrent calls; failures are thrown. */
export interface OutboundStore extends InstanceStore {
  /** Writes the entry if the stored revision is that one (0: there is none). A heartbeat of `by` in the same step. */
  put(entry: OutboundEntry, ifRevision: number, by: Instance): Awaitable<boolean>;
  get(key: string): Awaitable<OutboundEntry | undefined>;
  /** Entries that may be sent now, in the order of insertion. */
  eligible(ordering: Ordering, nowMs: number, limit: number): Awaitable<readonly OutboundEntry[]>;
  /** The instant at which the next entry that is not eligible yet will be. Undefined: none waits for an instant. */
  nextDueMs(ordering: Ordering, nowMs: number): Awaitable<number | undefined>;
  /** Entries that somebody is sending, in the order of insertion. */
  sending(): Awaitable<readonly OutboundEntry[]>;
  /** All entries in the order of insertion. */
  list(): Awaitable<readonly OutboundEntry[]>;
  /** Removes settled entries, never one that is still to be sent. Answers how many. */
  evict(retention: Retention): Awaitable<number>;
  close(): Awaitable<void>;
}
