/**
 * S22, writes: every accepted write of an entry has exactly one event.
 *
 * Violated iff the feed was read without a hole from before the write to the end, and no page shows an event of its key and
 * version; or two events of one key and version were shown. Events that carry no version excuse what is missing on their key.
 *
 *      w1   ├set k┤ made 4
 *      scan                  ├ events …, none of them k version 4 ┤
 */
import { type History, OP, OUTCOME } from '../history/history.ts';
import type { Tally } from './draft.ts';
import type { SeenEvent, SeenEvents } from './feed-events.ts';
import { isItemKind } from './feed-items.ts';
import { eachEvent, type Match, mustShow, tellMissing, tellTwice } from './feed-matches.ts';

export interface WriteEvents {
  /** Key → version → event. */
  readonly events: ReadonlyMap<number, ReadonlyMap<number, SeenEvent>>;
  /** Keys with an event of an entry that names no version. */
  readonly unnamed: ReadonlySet<number>;
  readonly matches: readonly Match[];
}

/** Finds the event of every write; tells of those that have two. */
export function matchWrites(history: History, seen: SeenEvents, found: Tally): WriteEvents {
  const events = new Map<number, Map<number, SeenEvent>>();
  const unnamed = new Set<number>();
  for (const one of eachEvent(seen)) {
    const { item, version, kind } = one.event;
    if (Number.isNaN(version)) {
      if (!isItemKind(kind)) unnamed.add(item);
      continue;
    }
    const own = events.get(item) ?? new Map<number, SeenEvent>();
    events.set(item, own);
    const first = own.get(version);
    if (first === undefined) own.set(version, one);
    else if (first.event.id !== one.event.id)
      tellTwice(history, first, one, 'a version of a key is made by one write', found);
  }
  const matches: Match[] = [];
  for (const row of writes(history)) {
    const seenOf = events.get(history.ops.item[row]!)?.get(history.ops.version[row]!);
    if (seenOf) matches.push({ row, seen: seenOf });
  }
  return { events, unnamed, matches };
}

/** Tells of writes without an event. `since`: those sent after it must have one. */
export function checkWrites(
  history: History,
  { events, unnamed }: WriteEvents,
  since: number,
  found: Tally,
): void {
  if (events.size === 0) return;
  const { ops } = history;
  for (const row of writes(history)) {
    if (!mustShow(history, row, since)) continue;
    found.opportunities += 1;
    const item = ops.item[row]!;
    const version = ops.version[row]!;
    if (!events.get(item)?.has(version) && !unnamed.has(item))
      tellMissing(history, row, `which made version ${version}`, found);
  }
}

/** Accepted writes that told their version. */
function* writes({ ops }: History): Generator<number> {
  for (let row = 0; row < ops.length; row++) {
    const isWrite = ops.op[row] === OP.commit && ops.outcome[row] === OUTCOME.accepted && ops.item[row]! >= 0;
    if (isWrite && !Number.isNaN(ops.version[row]!)) yield row;
  }
}
