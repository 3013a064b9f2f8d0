/**
 * S16 (g): every version up to the newest was made by an accepted write, or by one of unknown outcome.
 *
 * Violated iff the versions without a known maker cannot be shared out among the calls of unknown outcome, one call a version,
 * each call able to have acted between its neighbours and to have left what was shown (a matching in a bipartite graph).
 * Counting alone decides where the two sets are large.
 *
 *      w1   ├append k┤ made 1
 *      w2                  ├append k┤ made 3        nobody else wrote: who made 2?
 */
import type { History } from '../history/history.ts';
import type { Tally } from './draft.ts';
import type { EntryWrite } from './entry-accesses.ts';
import { accuseEntry, sightOf } from './entry-accusation.ts';
import { type KeyOrder, mayMake } from './entry-states.ts';

/** Pairs of a version and a call that are looked at; beyond that, counting decides. */
const PAIRS = 100_000;

export function checkWriters(history: History, order: KeyOrder, found: Tally): void {
  const { maker, open, newest } = order;
  if (newest === maker.size) return;
  const missing: number[] = [];
  let version = 1;
  // One more than there are calls is enough to accuse.
  for (; version <= newest && missing.length <= open.length; version++) {
    if (!maker.has(version)) missing.push(version);
  }
  if (missing.length > open.length) return tell(history, order, missing.at(-1)!, missing.length, found);
  if (missing.length * open.length > PAIRS) return;
  const without = unmatched(missing, open, (write, one) => mayMake(order, write, one));
  if (without !== undefined) tell(history, order, without, missing.length, found);
}

/** The first version that no call is left for; undefined when each has its own. */
function unmatched(
  versions: readonly number[],
  calls: readonly EntryWrite[],
  fits: (write: EntryWrite, version: number) => boolean,
): number | undefined {
  const taken = new Map<EntryWrite, number>();
  const place = (version: number, tried: Set<EntryWrite>): boolean => {
    for (const call of calls) {
      if (tried.has(call) || !fits(call, version)) continue;
      tried.add(call);
      const holds = taken.get(call);
      if (holds !== undefined && !place(holds, tried)) continue;
      taken.set(call, version);
      return true;
    }
    return false;
  };
  return versions.find((version) => !place(version, new Set()));
}

function tell(history: History, order: KeyOrder, version: number, missing: number, found: Tally): void {
  const { key, open, maker } = order;
  const proof = order.latest(version);
  const below = maker.get(version - 1);
  if (proof === undefined) return;
  accuseEntry(history, found, {
    item: key.item,
    accused: proof.row,
    beside: below ? [below.row] : [],
    part: 'version without a writer (g)',
    what: `version ${Math.max(version, proof.version)} was made, and nobody can have made version ${version}; versions must have no gaps and no strange writers`,
    because: `${missing === 1 ? '1 version has' : `${missing} versions or more have`} no accepted writer, and ${open.length === 0 ? 'no call of unknown outcome is left' : `of the ${open.length} calls of unknown outcome none is left that can have made this one`}`,
    shown: [sightOf(key.sights, proof)],
  });
}
