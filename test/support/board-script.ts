/**
 * Calls on entries and the feed for hand-made histories.
 *
 * @example
 * const h = script();
 * const w1 = onBoard(h.worker('w1'));
 * w1.set('k', { at: [0, 1], from: 0, made: 1, value: '"a"' });
 * w1.get('k', { at: [2, 3], shows: 1, value: '"a"' });
 * finalEntries(h, [9, 10], [{ key: 'k', version: 1, value: '"a"' }]);
 */
import type { EntryRecord, EventRecord, WriteRecord } from '../../harness/history/record.ts';
import type { Common, Script, Worker } from './history-script.ts';

export interface WriteCall extends Common {
  /** The version that it asked for. */
  readonly from?: number;
  /** The version that it made. */
  readonly made?: number;
  /** Default `"v"` of the version made. */
  readonly value?: string;
}

export interface ReadCall extends Common {
  /** 0: no entry. */
  readonly shows?: number;
  readonly value?: string;
}

export interface BatchWrite {
  readonly key: string;
  readonly op?: WriteRecord['op'];
  readonly from?: number;
  readonly made?: number;
  readonly value?: string;
  /** The item whose lease fences it, with the generation or the token of that lease. */
  readonly fence?: string;
  readonly generation?: number;
  readonly token?: string;
  readonly keep?: 'latest';
}

export interface PastCall extends Common {
  /** Versions below this one. */
  readonly before?: number;
  /** Default: more than are shown. */
  readonly limit?: number;
  /** Newest first; a deletion is its version, negated. */
  readonly shows: readonly number[];
}

export interface PageCall extends Common {
  /** The cursor handed in. Default 0. */
  readonly from?: number;
  /** The cursor answered. Default: the last event's id, else the one handed in. */
  readonly to?: number;
  readonly gap?: boolean;
  readonly limit?: number;
  readonly events?: readonly EventRecord[];
}

/** A worker that calls entries and the feed. */
export interface BoardWorker {
  set(key: string, call: WriteCall): string;
  append(key: string, call: WriteCall): string;
  remove(key: string, call: WriteCall): string;
  /** Several writes in one step, and the versions that other keys must have. */
  commit(
    writes: readonly BatchWrite[],
    call: Common & { readonly require?: Readonly<Record<string, number>> },
  ): string;
  get(key: string, call: ReadCall): string;
  list(prefix: string, call: Common & { readonly entries?: readonly EntryRecord[] }): string;
  /** Values are those that `set` and `append` write by default. */
  past(key: string, call: PastCall): string;
  since(call: PageCall): string;
  trim(beforeId: number, call: Common): string;
}

export function onBoard(worker: Pick<Worker, 'send'>): BoardWorker {
  const write = (op: WriteRecord['op']) => (key: string, call: WriteCall) => {
    const { from, made, value } = call;
    return commit([{ key, op, from, made, value } as BatchWrite], call);
  };
  const commit: BoardWorker['commit'] = (writes, call) => {
    const values = writes.map(({ op, value, made }) =>
      op === 'delete' ? {} : { value: value ?? `"v${made ?? ''}"` },
    );
    return worker.send(
      'commit',
      call,
      {
        writes: writes.map(({ key, op = 'set', from, keep, fence, generation, token }, i) => ({
          key,
          op,
          ...values[i],
          ...(keep === undefined ? {} : { keep }),
          ...(from === undefined ? {} : { ifVersion: from }),
          ...(fence === undefined ? {} : { fence }),
          ...(generation === undefined ? {} : { generation }),
          ...(token === undefined ? {} : { token }),
        })),
        ...(call.require === undefined
          ? {}
          : { require: Object.entries(call.require).map(([key, version]) => ({ key, version })) }),
      },
      {
        entries: writes.flatMap(({ key, made }, i) =>
          made === undefined ? [] : [{ key, version: made, ...values[i] }],
        ),
      },
    );
  };
  return {
    set: write('set'),
    append: write('append'),
    remove: write('delete'),
    commit,
    get(key, call) {
      const { shows = 0, value = `"v${shows}"` } = call;
      return worker.send(
        'get',
        call,
        { key },
        { entries: shows > 0 ? [{ key, version: shows, value }] : [] },
      );
    },
    list: (prefix, call) =>
      worker.send('list', call, { prefix, limit: 1000 }, { entries: call.entries ?? [] }),
    past(key, call) {
      const { before, shows, limit = shows.length + 1 } = call;
      const entries = shows.map((version) => ({
        key,
        version: Math.abs(version),
        ...(version < 0 ? {} : { value: `"v${version}"` }),
      }));
      return worker.send(
        'history',
        call,
        { key, limit, ...(before === undefined ? {} : { before }) },
        { entries },
      );
    },
    since: (call) => worker.send('since', call, asked(call), page(call)),
    trim: (before, call) => worker.send('trim', call, { before }),
  };
}

const asked = ({ from = 0, limit = 1000 }: PageCall) => ({ cursor: from, limit });

const page = ({ from = 0, to, gap, events = [] }: PageCall) => ({
  events,
  cursor: to ?? events.at(-1)?.id ?? from,
  ...(gap ? { gap } : {}),
});

/** The final read of all entries. Not `complete`: the last page was full. */
export function finalEntries(
  h: Script,
  at: readonly [number, number],
  entries: readonly EntryRecord[],
  { complete = true, prefix = '' } = {},
): void {
  const limit = complete ? entries.length + 1 : entries.length;
  h.scanner().send('list', { at }, { prefix, limit }, { entries });
}

/** The final read of the feed, in one page. */
export function finalFeed(
  h: Script,
  at: readonly [number, number],
  events: readonly EventRecord[],
  { complete = true, ...more }: { readonly complete?: boolean } & Omit<PageCall, 'at'> = {},
): void {
  const call = { at, events, limit: complete ? events.length + 1 : events.length, ...more };
  h.scanner().send('since', { at }, asked(call), page(call));
}

/** An event of a set. */
export const event = (id: number, key: string, version: number, kind = 'set'): EventRecord => ({
  id,
  kind,
  key,
  version,
});
