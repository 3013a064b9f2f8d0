/** Every reading statement of the work facet, prepared once for a connection. */
import type Database from 'better-sqlite3';
import type { ItemRow } from '../../lease/row.ts';
import type { ItemState } from '../../store.ts';
import { BELOW_PREFIX_END, LIMIT } from './sql.ts';

/** In the order of `rowOf`. */
const COLUMNS = `id, key, state, generation, attempts, max_attempts, eligible_at_ms, owner, acquired_at_ms,
  heartbeat_at_ms, expires_at_ms, lease_ms, payload, result, error, enqueued_by, completed_by`;

type Columns = readonly [
  id: number,
  key: string,
  state: ItemState,
  generation: number,
  attempts: number,
  maxAttempts: number | null,
  eligibleAtMs: number,
  owner: string | null,
  acquiredAtMs: number | null,
  heartbeatAtMs: number | null,
  expiresAtMs: number | null,
  leaseMs: number | null,
  payload: string | null,
  result: string | null,
  error: string | null,
  enqueuedBy: string | null,
  completedBy: string | null,
];

const UNDER_PREFIX = `key >= ? AND ${BELOW_PREFIX_END}`;
const FIRST = `ORDER BY eligible_at_ms, id ${LIMIT}`;
const IS_OPEN = `FROM items INDEXED BY items_open WHERE state = 'open' AND eligible_at_ms <= ?`;
const IS_LAPSED = `FROM items INDEXED BY items_leased WHERE state = 'leased' AND expires_at_ms <= ?`;

/** The reading statements of one connection, as functions. */
export interface Queries {
  find(key: string): ItemRow | undefined;
  /** Open items that are eligible, in the order of `compareEligible`. */
  open(prefix: string, nowMs: number, limit: number): readonly ItemRow[];
  /** Leased items whose lease is over, in the order of `compareEligible`. */
  lapsed(prefix: string, nowMs: number, limit: number): readonly ItemRow[];
  page(after: string | undefined, limit: number): readonly ItemRow[];
  eventCounts(): readonly { readonly kind: string; readonly count: number }[];
  counters(): readonly { readonly name: string; readonly value: number }[];
}

/** Prepares them. */
export function prepareQueries(db: Database.Database): Queries {
  /** Rows come as arrays: naming seventeen columns for each row costs more than finding it. */
  function rows<Parameters extends unknown[]>(rest: string) {
    const statement = db.prepare<Parameters, Columns>(`SELECT ${COLUMNS} ${rest}`).raw();
    return (...parameters: Parameters) => statement.all(...parameters).map(rowOf);
  }
  const find = db.prepare<[string], Columns>(`SELECT ${COLUMNS} FROM items WHERE key = ?`).raw();
  const open = rows<[number, number]>(`${IS_OPEN} ${FIRST}`);
  const openUnder = rows<[number, string, string, number]>(`${IS_OPEN} AND ${UNDER_PREFIX} ${FIRST}`);
  // Nearly always there is none, and asking just that spares the sorter.
  const anyLapsed = db.prepare<[number], number>(`SELECT 1 ${IS_LAPSED} LIMIT 1`).pluck();
  const lapsed = rows<[number, number]>(`${IS_LAPSED} ${FIRST}`);
  const lapsedUnder = rows<[number, string, string, number]>(`${IS_LAPSED} AND ${UNDER_PREFIX} ${FIRST}`);
  const firstPage = rows<[number]>(`FROM items ORDER BY key ${LIMIT}`);
  const nextPage = rows<[string, number]>(`FROM items WHERE key > ? ORDER BY key ${LIMIT}`);
  const eventCounts = db.prepare<[], { kind: string; count: number }>(
    'SELECT kind, count(*) AS count FROM events GROUP BY kind',
  );
  const counters = db.prepare<[], { name: string; value: number }>('SELECT name, value FROM counters');

  return {
    find(key) {
      const columns = find.get(key);
      return columns === undefined ? undefined : rowOf(columns);
    },
    open: (prefix, nowMs, limit) =>
      prefix === '' ? open(nowMs, limit) : openUnder(nowMs, prefix, prefix, limit),
    lapsed(prefix, nowMs, limit) {
      if (anyLapsed.get(nowMs) === undefined) return [];
      return prefix === '' ? lapsed(nowMs, limit) : lapsedUnder(nowMs, prefix, prefix, limit);
    },
    page: (after, limit) => (after === undefined ? firstPage(limit) : nextPage(after, limit)),
    eventCounts: () => eventCounts.all(),
    counters: () => counters.all(),
  };
}

function rowOf(columns: Columns): ItemRow {
  return {
    id: columns[0],
    key: columns[1],
    state: columns[2],
    generation: columns[3],
    attempts: columns[4],
    maxAttempts: columns[5],
    eligibleAtMs: columns[6],
    owner: columns[7],
    acquiredAtMs: columns[8],
    heartbeatAtMs: columns[9],
    expiresAtMs: columns[10],
    leaseMs: columns[11],
    payload: columns[12],
    result: columns[13],
    error: columns[14],
    enqueuedBy: columns[15],
    completedBy: columns[16],
  };
}
