/**
 * S16 (d): a read shows what is newest, and no two reads run backwards.
 *
 * Violated iff acc(w) < r with ver(r) < ver(w); r1 < r2 with ver(r1) > ver(r2); or r was answered before the write that made
 * what it shows was sent. An absent key counts as version 0, or as any version that can have been a deletion. Where reads
 * are declared `monotonic`, the second only for reads of one client; where `eventual`, only the third. A final read that
 * misses an accepted write is told as a lost write.
 *
 *      w1   ├set k┤ made 4
 *      w2               ├get k┤ shows 3
 */
import type { History } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Tally } from './draft.ts';
import type { EntrySight } from './entry-accesses.ts';
import { accuseEntry, showed, sightOf } from './entry-accusation.ts';
import type { Unexplained } from './entry-met.ts';
import type { Bound, KeyOrder } from './entry-states.ts';
import { duration } from './words.ts';

export function checkReads(
  history: History,
  order: KeyOrder,
  absent: readonly Unexplained<EntrySight>[],
  { reads }: Declares,
  found: Tally,
): void {
  const { sights } = order.key;
  for (const sight of sights) {
    if (sight.version > 0) unsent(history, order, sight, found);
    if (sight.current && sight.version > 0) stale(history, order, sight, found);
  }
  for (const { call, before } of absent) if (before) tell(history, order, call, before, found);
  if (reads === 'monotonic') backwards(history, order, found);
}

/** Shown before it was sent. */
function unsent(history: History, order: KeyOrder, sight: EntrySight, found: Tally): void {
  const later = order.ceiling(sight.ret, true);
  if (later === undefined || later.version > sight.version) return;
  accuseEntry(history, found, {
    item: order.key.item,
    accused: sight.row,
    beside: [later.row],
    part: 'read before written (d)',
    what: `${showed(sight)} version ${sight.version} before the write that made version ${later.version} was sent; a read must show what was written`,
    because: `the read was answered ${duration(history.ops.inv[later.row]! - sight.ret)} before that write was sent`,
    shown: [sight],
  });
}

function stale(history: History, order: KeyOrder, sight: EntrySight, found: Tally): void {
  const before = order.floor(sight.inv);
  if (before === undefined || before.version <= sight.version) return;
  tell(history, order, sight, before, found);
}

function tell(history: History, order: KeyOrder, sight: EntrySight, before: Bound, found: Tally): void {
  const { item, sights } = order.key;
  const what = sight.version === 0 ? 'no entry' : `version ${sight.version}`;
  const how = before.wrote ? 'written' : 'read';
  accuseEntry(history, found, {
    item,
    accused: sight.row,
    beside: [before.row],
    part: partOf(sight, before),
    what: `${showed(sight)} ${what} after version ${before.version} had been ${how}; ${mustOf(sight)}`,
    because: `version ${before.version} was ${how} by a call that was answered ${duration(sight.inv - before.ret)} before this read was sent`,
    shown: [sight, sightOf(sights, before)],
  });
}

function partOf({ kind, final }: EntrySight, before: Bound): string {
  if (kind === 'require') return 'requirement not checked (a)';
  if (final) return 'lost write (d)';
  return before.wrote ? 'stale read (d)' : 'reads run backwards (d)';
}

function mustOf({ kind, final }: EntrySight): string {
  if (kind === 'require') return 'a commit must be refused when a version that it requires is another';
  return final ? 'an accepted write must stay' : 'a read must show the newest';
}

/** Reads of one client, where the store promises no more. */
function backwards(history: History, order: KeyOrder, found: Tally): void {
  const { ops } = history;
  const newest = new Map<string, EntrySight>();
  const own = order.key.sights.filter(isRead).sort((a, b) => a.inv - b.inv);
  for (const sight of own) {
    const client = `${ops.incarnation[sight.row]}.${ops.lane[sight.row]}`;
    const before = newest.get(client);
    const isGone =
      sight.version === 0 &&
      before !== undefined &&
      (!before.live || deletable(order, before.version, sight.ret));
    if (before && before.ret < sight.inv && before.version > sight.version && !isGone) {
      const { version, row, ret } = before;
      tell(history, order, sight, { version, row, ret, wrote: false }, found);
    }
    if (before === undefined || sight.version > before.version) newest.set(client, sight);
  }
}

/** It showed what its client then held for the newest. */
const isRead = ({ kind }: EntrySight): boolean => kind === 'get' || kind === 'list' || kind === 'history';

/** Whether a delete behind this version may have acted. */
function deletable({ key, open }: KeyOrder, version: number, by: number): boolean {
  const may = (write: (typeof open)[number]): boolean => write.deletes && write.inv <= by;
  return open.some(may) || key.made.some((write) => may(write) && write.version > version);
}
