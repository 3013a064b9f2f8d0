/**
 * S16 (c), (d): the history of a key is its versions, newest first, without a hole, down to the oldest that is kept.
 *
 * Violated iff within one page a version is not one below the one before it; or a page below version b, whose key had certainly
 * come to b - 1, does not begin there; or the last page ends above version 1 although no write that drops older versions can
 * have acted; or a page shows a deletion under a version that was a value. Where reads are declared `eventual`, only the last.
 *
 *      w1   ├append k┤ made 1    ├append k┤ made 2
 *      w2                                          ├history k┤ shows 2 alone
 */
import type { History, HistoryRead } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Tally } from './draft.ts';
import { accuseEntry, requestText } from './entry-accusation.ts';
import { isLive, type KeyOrder } from './entry-states.ts';

export function checkHistories(history: History, order: KeyOrder, { reads }: Declares, found: Tally): void {
  for (const page of order.key.pages) {
    const hole = reads === 'eventual' ? undefined : holeOf(history, order, page, reads === 'linearizable');
    if (hole !== undefined) tellHole(history, order, page, hole, found);
    for (const { version, value } of page.versions) {
      if (value < 0 && isLive(order, version) === true) tellDeletion(history, order, page, version, found);
    }
  }
}

/** The first version that a page should show and does not. */
function holeOf(
  { ops }: History,
  { key, floor }: KeyOrder,
  { row, before, toTheEnd, versions }: HistoryRead,
  current: boolean,
): number | undefined {
  const steps = versions.findIndex(({ version }, i) => i > 0 && version !== versions[i - 1]!.version - 1);
  if (steps > 0) return versions[steps - 1]!.version - 1;
  if (key.dropsFrom <= ops.ret[row]!) return undefined;
  const first = versions[0]?.version;
  if (!Number.isNaN(before) && current) {
    const reached = Math.min(before - 1, floor(ops.inv[row]!)?.version ?? 0);
    if (reached >= 1 && (first ?? 0) < reached) return reached;
  }
  const last = versions.at(-1)?.version;
  return toTheEnd && last !== undefined && last > 1 ? last - 1 : undefined;
}

function tellHole(history: History, order: KeyOrder, page: HistoryRead, hole: number, found: Tally): void {
  const { key, maker, floor } = order;
  const { versions } = page;
  const proof = maker.get(hole) ?? floor(history.ops.inv[page.row]!);
  const range =
    versions.length === 0
      ? 'shows nothing'
      : `shows ${versions.length === 1 ? `version ${versions[0]!.version}` : `versions ${versions[0]!.version} to ${versions.at(-1)!.version}`}`;
  accuseEntry(history, found, {
    item: key.item,
    accused: page.row,
    beside: proof ? [proof.row] : [],
    part: 'history with a hole (d)',
    what: `a page of its history ${range}${Number.isNaN(page.before) ? '' : ` below version ${page.before}`} and leaves out version ${hole}; a history must show every version that is kept`,
    because: 'versions have no gaps, and no write that drops older ones can have acted',
  });
}

function tellDeletion(
  history: History,
  order: KeyOrder,
  page: HistoryRead,
  version: number,
  found: Tally,
): void {
  const { key, maker, shown } = order;
  const write = maker.get(version);
  const sight = shown.get(version);
  accuseEntry(history, found, {
    item: key.item,
    accused: page.row,
    beside: write ? [write.row] : sight ? [sight.row] : [],
    part: 'value changed (c)',
    what: `its history showed version ${version} as a deletion, and it was a value; a version must not change`,
    because: write
      ? `version ${version} was made by request ${requestText(history, write.row)}`
      : 'another access showed its value, or was accepted on condition of it',
    shown: [sight],
  });
}
