/**
 * The counters of a store by name, since its creation. Accepted calls are counted by their events, so no transaction pays
 * for them; refusals, `empty` aside, are counted in the transaction that refused. Pure.
 *
 * | name | counts |
 * | --- | --- |
 * | `enqueued` | items added by `enqueue` |
 * | `claims` | grants of every kind |
 * | `reclaims` | grants of an item whose former lease ran out |
 * | `reacquires` | grants to the holder of a live lease, at its own wish |
 * | `completes`, `nacks`, `releases`, `forceReleases` | accepted calls of that name |
 * | `dead` | items whose attempts are used up |
 * | `refusals`, `refusals.CODE` | refused calls, all and for each code that occurred; an `empty` claimNext is not one |
 * | `conflicts` | refused calls that lost to another worker: `held`, `stale` and `conflict` |
 */
import type { RefusalCode } from '../store.ts';
import type { Tally } from './backend.ts';
import type { WorkEventKind } from './change.ts';

const CONFLICTS: readonly RefusalCode[] = ['held', 'stale', 'conflict'];

/** Names what was counted. */
export function countersOf(tally: Tally): Readonly<Record<string, number>> {
  const event = (kind: WorkEventKind) => tally.events.get(kind) ?? 0;
  const refusals = [...tally.refusals].sort(([a], [b]) => (a < b ? -1 : 1));
  const sum = (counted: typeof refusals) => counted.reduce((total, [, count]) => total + count, 0);
  return {
    enqueued: event('enqueued'),
    claims: event('claimed') + event('reclaimed') + event('reacquired'),
    reclaims: event('reclaimed'),
    reacquires: event('reacquired'),
    completes: event('completed'),
    nacks: event('nacked'),
    releases: event('released'),
    forceReleases: event('force-released'),
    dead: event('dead'),
    refusals: sum(refusals),
    conflicts: sum(refusals.filter(([code]) => CONFLICTS.includes(code))),
    ...Object.fromEntries(refusals.map(([code, count]) => [`refusals.${code}`, count])),
  };
}
