/** What a caller of the outbound queue sees. Types only. */
import type { Clock } from '../../clock.ts';
import type { Json } from '../../store.ts';
import type { ProcessProbe } from '../process-probe.ts';
import type { Ordering, OutboundEntry, OutboundStore } from './entry.ts';

/** Options of `createOutboundQueue`. */
export interface OutboundQueueOptions {
  readonly store: OutboundStore;
  /**
   * Sends one entry. Called at least once, and again where it may have arrived already: `entry.possibleDuplicate` says so. `false`, a throw or a
   * rejection: not sent, tried again (`retryAfterMs` on what is thrown asks for a longer pause). `{ giveUp: why }`: never. Anything else: sent.
   */
  readonly send: (entry: OutboundEntry, context: { readonly signal: AbortSignal }) => unknown;
  /** Whether an entry that may have arrived has: then it is marked as sent and not sent again. @default it is sent again */
  readonly confirm?: (entry: OutboundEntry) => unknown;
  /** @default 'strict' */
  readonly ordering?: Ordering;
  /** Attempts after which an old entry fails for good. @default 5 */
  readonly maxAttempts?: number;
  /** Age from which on an entry whose attempts are used up fails for good, in ms. @default 21_600_000 */
  readonly deadAfterMs?: number;
  /** A claim that is older may be taken over, also of a process that is alive, in ms. @default 300_000 */
  readonly claimStaleAfterMs?: number;
  /** How long one send may take, in ms. Below `claimStaleAfterMs`. @default 60_000 */
  readonly sendTimeoutMs?: number;
  /** How long settled entries and their keys are kept, in ms. @default 604_800_000 */
  readonly retentionMs?: number;
  /** @default 50_000 */
  readonly maxEntries?: number;
  /** @default 5000 */
  readonly heartbeatMs?: number;
  /** @default 15_000 */
  readonly staleAfterMs?: number;
  /** Hears of failures. @default `process.emitWarning` */
  readonly onWarning?: (message: string, entry?: OutboundEntry) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly uniqueId?: () => string;
  readonly processes?: ProcessProbe;
}

/** What to send. */
export interface NewOutbound {
  /** A second entry under the same key is not made. */
  readonly key: string;
  /** @default one lane for all */
  readonly lane?: string;
  readonly payload: Json;
}

/** What a drain did. */
export interface DrainCounts {
  /** Taken from senders that will not come back. */
  readonly recovered: number;
  /** Those of them that had arrived. */
  readonly confirmed: number;
  readonly sent: number;
  readonly failed: number;
}

/** Things to send, each stored before it is sent. Any process may end at any instant; the next one goes on. */
export interface OutboundQueue {
  /** Stores it. `isNew` false: there is an entry of that key already, and this is it. */
  enqueue(given: NewOutbound): Promise<{ readonly entry: OutboundEntry; readonly isNew: boolean }>;
  /** Takes over what dead senders left, then sends what is due. Waits for all of it. Call it at the start. */
  drain(): Promise<DrainCounts>;
  /** Drains now, and from now on whenever something is enqueued or falls due. */
  start(): Promise<DrainCounts>;
  get(key: string): Promise<OutboundEntry | undefined>;
  list(): Promise<readonly OutboundEntry[]>;
  /** Waits for the send under way. Does not close the store. */
  close(): Promise<void>;
}
