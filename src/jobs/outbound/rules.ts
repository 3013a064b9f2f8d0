/** The life of an outbound entry (spec/jobs.md D7). Pure. */
import type { Json } from '../../store.ts';
import type { OutboundEntry, OutboundState } from './entry.ts';

/** When an entry fails for good: its attempts are used up and it is so old. Both, so that a short outage kills nothing. */
export interface Limits {
  readonly maxAttempts: number;
  readonly deadAfterMs: number;
}

/** Nothing is to be sent any more. */
export const isSettled = ({ state }: Pick<OutboundEntry, 'state'>): boolean =>
  state === 'sent' || state === 'permanent-failure';

/** May be claimed once it is due. */
export const WAITING: readonly OutboundState[] = ['pending', 'recovered', 'failed'];

export function newEntry(key: string, lane: string, payload: Json, nowMs: number): OutboundEntry {
  return {
    key,
    lane,
    payload,
    state: 'pending',
    createdAtMs: nowMs,
    dueAtMs: nowMs,
    claimedAtMs: null,
    settledAtMs: null,
    attempts: 0,
    error: null,
    possibleDuplicate: false,
    sender: null,
    revision: 1,
  };
}

const next = (entry: OutboundEntry): OutboundEntry => ({ ...entry, revision: entry.revision + 1 });

/** In the hands of a sender: stored before anything leaves. Counts as an attempt. */
export const claimed = (entry: OutboundEntry, sender: string, nowMs: number): OutboundEntry => ({
  ...next(entry),
  state: 'sending',
  sender,
  claimedAtMs: nowMs,
  attempts: entry.attempts + 1,
});

/** Out of the hands of a sender that will not come back. It may have sent it. */
export const recovered = (entry: OutboundEntry, nowMs: number): OutboundEntry => ({
  ...next(entry),
  state: 'recovered',
  sender: null,
  dueAtMs: nowMs,
  possibleDuplicate: true,
});

/** What was sent is sent, whatever else is said of it. Undefined: it says so already. */
export const sent = (entry: OutboundEntry, nowMs: number): OutboundEntry | undefined =>
  entry.state === 'sent'
    ? undefined
    : { ...next(entry), state: 'sent', sender: null, settledAtMs: nowMs, error: null };

/** The attempt of this sender failed. Undefined: the entry is not in its hands any more, and nothing is to be said. */
export function failed(
  entry: OutboundEntry,
  sender: string,
  how: { readonly error: string; readonly permanent: boolean; readonly pauseMs: number },
  nowMs: number,
  { maxAttempts, deadAfterMs }: Limits,
): OutboundEntry | undefined {
  if (entry.state !== 'sending' || entry.sender !== sender) return undefined;
  const usedUp = entry.attempts >= maxAttempts && nowMs - entry.createdAtMs >= deadAfterMs;
  const base = { ...next(entry), sender: null, error: how.error };
  return how.permanent || usedUp
    ? { ...base, state: 'permanent-failure', settledAtMs: nowMs }
    : { ...base, state: 'failed', dueAtMs: nowMs + how.pauseMs };
}
