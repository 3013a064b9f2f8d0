/** Writes in few words. */
import type { Json, Lease, Outcome, Write } from '../../src/store.ts';
import { type Handle, request } from './world.ts';

type Extra = Partial<Omit<Write, 'key' | 'op' | 'value'>>;

export const append = (key: string, value: Json, extra: Extra = {}): Write => ({
  key,
  op: 'append',
  value,
  author: 'w1',
  request: request(),
  ...extra,
});

export const set = (key: string, value: Json, extra: Extra = {}): Write => ({
  ...append(key, value, extra),
  op: 'set',
});

export const del = (key: string, extra: Extra = {}): Write => {
  const { value: _, ...rest } = append(key, null, extra);
  return { ...rest, op: 'delete' };
};

/** Commits one write after the other. All must be accepted. */
export async function commitEach(store: Handle, ...writes: Write[]): Promise<void> {
  for (const write of writes) {
    const outcome = await store.entries.commit([write]);
    if (!outcome.accepted) throw new Error(outcome.refusal.message);
  }
}

/** The refusal of an answer. */
export function refusalOf(outcome: Outcome<unknown>) {
  if (outcome.accepted) throw new Error('Expected a refusal, got an accepted answer.');
  return outcome.refusal;
}

/** The same lease with something altered. */
export const forged = (lease: Lease, change: Partial<Lease>): Lease => ({ ...lease, ...change });

/** Everything that a store shows, to say that a call changed nothing of it. */
export async function everything(store: Handle) {
  const keys = await store.entries.list('', { limit: 1000 });
  const { events } = await store.feed.since(0, 1000);
  const histories = await Promise.all(
    [...new Set(events.map((event) => event.key))].map((key) => store.entries.history(key, { limit: 1000 })),
  );
  return { keys, events, histories };
}
