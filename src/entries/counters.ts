/**
 * The counters of the entry facet by name: accepted writes, counted by their events. Refused commits are among the refusals of
 * the lease counters, `conflict` also among the conflicts. Pure.
 *
 * | name | counts |
 * | --- | --- |
 * | `appends`, `sets`, `deletes` | accepted writes of that kind |
 */
import type { Tally } from '../lease/backend.ts';
import type { EntryEventKind } from './row.ts';

/** Names what was counted. */
export function entryCountersOf(tally: Pick<Tally, 'events'>): Readonly<Record<string, number>> {
  const event = (kind: EntryEventKind) => tally.events.get(kind) ?? 0;
  return { appends: event('appended'), sets: event('set'), deletes: event('deleted') };
}
