/**
 * What a history tells of entries, one record a key: accepted writes with the versions that they made, calls that may have
 * written, reads, and refused conditional writes. The ground of S16; pure, one pass over the rows.
 *
 * Versions of a key have no gaps and never restart, so they are the order of its writes. A read that shows version v
 * happened after the write that made v; where it shows the newest state, also before the write that made v + 1.
 */
import { FLAG, type History, type HistoryRead, OP, OUTCOME, REFUSALS } from '../history/history.ts';
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
  /** First row of the commit: its writes happen together. */
  readonly call: number;
}

/** A state of a key that was shown: by a read, by an event of the feed, or by a commit that required it and was accepted. */
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
  /** It shows an entry that is there. Else only that the version was made: an event, a deletion in a history. */
  readonly live: boolean;
  /** The final read of all entries. */
  readonly final: boolean;
  /** `history`: the newest version of one; `past`: one that is older, or from a later page. */
  readonly kind: 'get' | 'list' | 'history' | 'past' | 'require' | 'event';
}

/** A condition of a commit that was refused because some version was another: of a write, or required by itself. */
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
  /** Pages of its history. */
  readonly pages: HistoryRead[];
  /** When the first write was sent that drops older versions and may have acted; +Infinity without one. */
  dropsFrom: number;
  /** First row of the last refused commit that named the key. */
  refusedIn: number;
}

export interface EntryAccesses {
  readonly keys: readonly KeyAccesses[];
  /** Conditions of a refused commit that can be judged, by its first row; NaN where one of them cannot. */
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
    const fresh: KeyAccesses = {
      item,
      made: [],
      perhaps: [],
      sights: [],
      conflicts: [],
      pages: [],
      dropsFrom: Number.POSITIVE_INFINITY,
      refusedIn: -1,
    };
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
        live: version > 0,
        final: false,
        kind: 'get',
      });
    }
  }
  for (const { item, version, value, row } of history.listed) {
    const shown = { row, version, value, ...span(history, row), current: linearizable, final: false };
    of(item).sights.push({ ...shown, live: true, kind: 'list' });
  }
  for (const page of history.histories) {
    const key = of(ops.item[page.row]!);
    key.pages.push(page);
    remembered(history, page, linearizable, key);
  }
  required(history, of, conditions);
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
        live: false,
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
    if (ops.code[call] === CONFLICT) condition(key, { row, expected, inv, ret, call }, conditions);
    return;
  }
  if (outcome === OUTCOME.fail) return;
  const version = ops.version[row]!;
  const deletes = (ops.flags[row]! & FLAG.delete) !== 0;
  if ((ops.flags[row]! & FLAG.latest) !== 0) key.dropsFrom = Math.min(key.dropsFrom, inv);
  const write = { row, version, expected, deletes, value: ops.value[row]!, inv, ret, call };
  const told = outcome === OUTCOME.accepted && !Number.isNaN(version);
  (told ? key.made : key.perhaps).push(write);
}

/** Something that a refused commit names. Where it names a key twice it is not judged: the second expects what the first makes. */
function condition(
  key: KeyAccesses,
  { expected, ...one }: Omit<EntryConflict, 'expected'> & { readonly expected: number | undefined },
  conditions: Map<number, number>,
): void {
  const { call } = one;
  const again = key.refusedIn === call;
  key.refusedIn = call;
  if (expected === undefined && !again) return;
  conditions.set(call, again ? Number.NaN : (conditions.get(call) ?? 0) + 1);
  if (expected !== undefined) key.conflicts.push({ ...one, expected });
}

/** What commits required: an accepted one met it at its one instant, whatever the store promises of reads. */
function required(
  history: History,
  of: (item: number) => KeyAccesses,
  conditions: Map<number, number>,
): void {
  const { ops, requires } = history;
  for (const [row, all] of requires) {
    const { inv, ret } = span(history, row);
    for (const { item, version } of all) {
      const key = of(item);
      if (ops.outcome[row] === OUTCOME.accepted) {
        const shown = { row, version, value: -1, inv, ret, current: true, final: false };
        key.sights.push({ ...shown, live: version > 0, kind: 'require' });
      } else if (ops.outcome[row] === OUTCOME.refused && ops.code[row] === CONFLICT) {
        condition(key, { row, expected: version, inv, ret, call: row }, conditions);
      }
    }
  }
}

/** The newest version of a history is what was newest; the others were made. */
function remembered(history: History, page: HistoryRead, linearizable: boolean, key: KeyAccesses): void {
  const { row, before, versions } = page;
  const at = { row, ...span(history, row), final: false };
  const fromTheTop = Number.isNaN(before);
  if (fromTheTop && page.toTheEnd && versions.length === 0)
    key.sights.push({ ...at, version: 0, value: -1, current: linearizable, live: false, kind: 'history' });
  versions.forEach(({ version, value }, i) => {
    const newest = fromTheTop && i === 0;
    const shown = { ...at, version, value, current: newest && linearizable, live: value >= 0 };
    key.sights.push({ ...shown, kind: newest ? 'history' : 'past' });
  });
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
    const shown = { row, version, value, ...span(history, row), current, final: true };
    of(item).sights.push({ ...shown, live: true, kind: 'list' });
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
      key.sights.push({ ...absent, current, live: false, final: true, kind: 'list' });
  }
}
