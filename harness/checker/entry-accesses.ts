/**
 * What a history tells of entries, one record a key: accepted writes with the versions that they made, calls that may have
 * written, reads, and refused conditional writes. The ground of S16; pure, one pass over the rows.
 *
 * Versions of a key have no gaps and never restart, so they are the order of its writes. A read that shows version v
 * happened after the write that made v; where it shows the newest state, also before the write that made v + 1.
 */
import { FLAG, type History, OP, OUTCOME, REFUSALS } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';

/** A write of a key: an accepted one with the version that it made, or one that may have acted. */
export interface EntryWrite {
  readonly row: number;
  /** NaN where it was not told. */
  readonly version: number;
  /** The version that it asked for; undefined: any. */
  readonly expected: number | undefined;
  readonly deletes: boolean;
  /** Digest of the value as an index into `texts`; -1 of a deletion. */
  readonly value: number;
  readonly inv: number;
  readonly ret: number;
}

/** A state of a key that was shown: by get, list, the final list, or as an event of the feed. */
export interface EntrySight {
  readonly row: number;
  /** 0: absent. */
  readonly version: number;
  /** -1 where it was not shown. */
  readonly value: number;
  readonly inv: number;
  readonly ret: number;
  /** It shows what was newest within its interval. Else only: this version had been made by `ret`. */
  readonly current: boolean;
  /** The final read of all entries. */
  readonly final: boolean;
  readonly kind: 'get' | 'list' | 'event';
}

/** A conditional write that was refused because the version was another. */
export interface EntryConflict {
  readonly row: number;
  readonly expected: number;
  readonly inv: number;
  readonly ret: number;
  /** First row of the commit: it was refused as a whole. */
  readonly call: number;
}

export interface KeyAccesses {
  readonly item: number;
  /** Accepted, each with its version. */
  readonly made: EntryWrite[];
  /** Of unknown outcome, or accepted without telling the version. */
  readonly perhaps: EntryWrite[];
  readonly sights: EntrySight[];
  readonly conflicts: EntryConflict[];
  /** First row of the last refused commit that named the key. */
  refusedIn: number;
}

export interface EntryAccesses {
  readonly keys: readonly KeyAccesses[];
  /** Conditional writes of a refused commit that can be judged, by its first row; NaN where one of them cannot. */
  readonly conditions: ReadonlyMap<number, number>;
}

const CONFLICT = REFUSALS.indexOf('conflict');

/** Collects them. Empty for a history without entries. */
export function entryAccesses(history: History, { reads }: Declares): EntryAccesses {
  const byItem = new Map<number, KeyAccesses>();
  const conditions = new Map<number, number>();
  const of = (item: number): KeyAccesses => {
    const known = byItem.get(item);
    if (known) return known;
    const fresh = { item, made: [], perhaps: [], sights: [], conflicts: [], refusedIn: -1 };
    byItem.set(item, fresh);
    return fresh;
  };
  const { ops } = history;
  const linearizable = reads === 'linearizable';
  let call = -1;
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (item < 0) continue;
    if (ops.op[row] === OP.commit) {
      if (!sameCall(history, call, row)) call = row;
      commit(history, row, call, of(item), conditions);
    } else if (ops.op[row] === OP.get && ops.outcome[row] === OUTCOME.accepted) {
      const version = ops.version[row]!;
      const value = version > 0 ? ops.value[row]! : -1;
      const { inv, ret } = span(history, row);
      of(item).sights.push({
        row,
        version,
        value,
        inv,
        ret,
        current: linearizable,
        final: false,
        kind: 'get',
      });
    }
  }
  for (const { item, version, value, row } of history.listed) {
    const shown = { row, version, value, ...span(history, row), current: linearizable, final: false };
    of(item).sights.push({ ...shown, kind: 'list' });
  }
  finals(history, linearizable, byItem, of);
  for (const { row, events } of [...history.feed, ...(history.finalFeed?.pages ?? [])]) {
    const { inv, ret } = span(history, row);
    for (const { item, version } of events) {
      if (!(version >= 1)) continue;
      of(item).sights.push({
        row,
        version,
        value: -1,
        inv,
        ret,
        current: false,
        final: false,
        kind: 'event',
      });
    }
  }
  return { keys: [...byItem.values()], conditions };
}

const span = ({ ops }: History, row: number): { readonly inv: number; readonly ret: number } => ({
  inv: ops.inv[row]!,
  ret: ops.ret[row]!,
});

/** The rows of one commit stand next to one another. */
function sameCall({ ops }: History, first: number, row: number): boolean {
  return (
    first >= 0 &&
    (ops.flags[row]! & FLAG.batch) !== 0 &&
    ops.incarnation[first] === ops.incarnation[row] &&
    ops.lane[first] === ops.lane[row] &&
    ops.call[first] === ops.call[row]
  );
}

function commit(
  history: History,
  row: number,
  call: number,
  key: KeyAccesses,
  conditions: Map<number, number>,
): void {
  const { ops, ifVersions } = history;
  const expected = ifVersions.get(row);
  const outcome = ops.outcome[row];
  const { inv, ret } = span(history, row);
  if (outcome === OUTCOME.refused) {
    // What it required of other keys is not known, and may be why.
    if (ops.code[call] !== CONFLICT || (ops.flags[call]! & FLAG.required) !== 0) return;
    // Of two writes to one key the second expects what the first would have made: such a commit is not judged.
    const again = key.refusedIn === call;
    key.refusedIn = call;
    if (expected === undefined && !again) return;
    conditions.set(call, again ? Number.NaN : (conditions.get(call) ?? 0) + 1);
    if (expected !== undefined) key.conflicts.push({ row, expected, inv, ret, call });
    return;
  }
  if (outcome === OUTCOME.fail) return;
  const version = ops.version[row]!;
  const deletes = (ops.flags[row]! & FLAG.delete) !== 0;
  const write = { row, version, expected, deletes, value: ops.value[row]!, inv, ret };
  const told = outcome === OUTCOME.accepted && !Number.isNaN(version);
  (told ? key.made : key.perhaps).push(write);
}

/** The final read shows keys that are there, and by their absence those that are not. */
function finals(
  history: History,
  current: boolean,
  byItem: ReadonlyMap<number, KeyAccesses>,
  of: (item: number) => KeyAccesses,
): void {
  const { finalEntries, ops } = history;
  if (!finalEntries) return;
  const present = new Set<number>();
  for (const { item, version, value, row } of finalEntries.rows) {
    present.add(item);
    of(item).sights.push({ row, version, value, ...span(history, row), current, final: true, kind: 'list' });
  }
  if (!finalEntries.complete) return;
  let last = -1;
  for (let row = 0; row < ops.length; row++) {
    if (ops.op[row] !== OP.list || ops.outcome[row] !== OUTCOME.accepted) continue;
    const scans = history.incarnations.get(ops.incarnation[row]!)?.role === 'scanner';
    if (scans && (last < 0 || ops.ret[row]! > ops.ret[last]!)) last = row;
  }
  if (last < 0) return;
  const prefix = history.prefixes.get(last) ?? '';
  const absent = { row: last, version: 0, value: -1, inv: finalEntries.startedAt, ret: ops.ret[last]! };
  for (const [item, key] of byItem) {
    if (!present.has(item) && history.keys[item]!.startsWith(prefix))
      key.sights.push({ ...absent, current, final: true, kind: 'list' });
  }
}
