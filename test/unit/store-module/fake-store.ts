/** A small correct store for tests of the wrapper and the probe; a test replaces single methods of it. */
import type {
  Claimant,
  Entry,
  EntryStore,
  Event,
  Feed,
  Item,
  Lease,
  Outcome,
  Refusal,
  Store,
  WorkStore,
} from '../../../src/store.ts';

interface Row {
  state: Item['state'];
  generation: bigint;
  lease: Lease | undefined;
}

const yes = <T>(value: T): Outcome<T> => ({ accepted: true, value });
const no = (code: Refusal['code']): Outcome<never> => ({ accepted: false, refusal: { code, message: code } });

/** A store in memory without a clock: leases never end by themselves. */
export function fakeStore(work: Partial<Record<keyof WorkStore, unknown>> = {}, store: object = {}): Store {
  const rows = new Map<string, Row>();
  const grant = (key: string, row: Row, by: Claimant): Outcome<Lease> => {
    row.generation += 1n;
    row.state = 'leased';
    row.lease = {
      key,
      owner: by.owner,
      token: String(row.generation),
      generation: row.generation,
      leaseMs: by.leaseMs,
    };
    return yes(row.lease);
  };
  const end = (lease: Lease, state: Item['state']): Outcome<void> => {
    const row = rows.get(lease.key);
    if (row?.lease?.token !== lease.token) return no('stale');
    row.state = state;
    row.lease = undefined;
    return yes(undefined);
  };
  const whole: Required<WorkStore> = {
    enqueue(items) {
      if (items.some((item) => rows.has(item.key))) return no('duplicate');
      for (const { key } of items) rows.set(key, { state: 'open', generation: 0n, lease: undefined });
      return yes(undefined);
    },
    claim(key, by) {
      const row = rows.get(key);
      if (row === undefined) return no('unknown-item');
      return row.state === 'open' ? grant(key, row, by) : no('held');
    },
    claimNext(prefix, by) {
      const found = [...rows].find(([key, row]) => key.startsWith(prefix) && row.state === 'open');
      if (found === undefined) return no('empty');
      const answer = grant(found[0], found[1], by);
      return answer.accepted ? yes([answer.value]) : answer;
    },
    heartbeat: (lease) => (rows.get(lease.key)?.lease?.token === lease.token ? yes(lease) : no('stale')),
    complete: (lease) => end(lease, 'done'),
    nack: (lease) => end(lease, 'open'),
    release: (lease) => end(lease, 'open'),
    forceRelease: (key) => (rows.has(key) ? no('not-held') : no('unknown-item')),
    scan: ({ after = '', limit }) =>
      [...rows]
        .filter(([key]) => key > after)
        .slice(0, limit)
        .map(([key, row]) => ({ key, state: row.state, generation: row.generation })),
  };
  const merged = Object.fromEntries(
    Object.entries({ ...whole, ...work }).filter(([, method]) => method !== undefined),
  );
  return {
    nowMs: () => 5,
    close: () => {},
    counters: () => ({ claims: 1 }),
    work: merged as WorkStore,
    ...store,
  };
}

/** Entries and a feed over them, in memory; a test replaces single methods. */
export function fakeBoard(
  entries: Partial<Record<keyof EntryStore, unknown>> = {},
  feed: Partial<Record<keyof Feed, unknown>> = {},
): Pick<Store, 'entries' | 'feed'> {
  const rows = new Map<string, Entry[]>();
  const events: Event[] = [];
  const whole: EntryStore = {
    get: (key) => rows.get(key)?.at(-1),
    commit(writes) {
      for (const { key, ifVersion } of writes) {
        if (ifVersion !== undefined && ifVersion !== (rows.get(key)?.length ?? 0)) return no('conflict');
      }
      const made = writes.map(({ key, value = null, author, request }) => {
        const versions = rows.get(key) ?? [];
        const entry = { key, version: versions.length + 1, value, author, request, createdAtMs: 5 };
        rows.set(key, [...versions, entry]);
        events.push({ id: events.length + 1, atMs: 5, kind: 'set', key, author, version: entry.version });
        return entry;
      });
      return yes(made);
    },
    history: (key) => [...(rows.get(key) ?? [])].reverse(),
    list: (prefix, { limit }) =>
      [...rows.entries()]
        .filter(([key]) => key.startsWith(prefix))
        .slice(0, limit)
        .map(([, versions]) => versions.at(-1)!),
  };
  const since: Feed = {
    since(cursor, limit) {
      const page = events.slice(cursor, cursor + limit);
      return { events: page, cursor: page.at(-1)?.id ?? cursor };
    },
    trim() {},
  };
  return { entries: { ...whole, ...entries } as EntryStore, feed: { ...since, ...feed } as Feed };
}
