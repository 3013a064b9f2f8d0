/** Every reading statement of the entry facet, prepared once for a connection. */
import type Database from 'better-sqlite3';
import type { EntryRow, Head } from '../../entries/row.ts';
import { compareKeys } from '../../lease/order.ts';
import { BELOW_PREFIX_END, LIMIT } from './sql.ts';

/** In the order of `rowOf`. */
const COLUMNS = 'k.key, e.version, e.value, e.author, e.generation, e.created_at_ms, e.request';

type Columns = readonly [
  key: string,
  version: number,
  value: string | null,
  author: string,
  generation: number | null,
  createdAtMs: number,
  request: string,
];

/** The order of the tables is fixed: keys lead, in the order of the partial index, and nothing is sorted. */
const LIVE = `FROM entry_keys k INDEXED BY entry_keys_live
  CROSS JOIN entries e ON e.key_id = k.id AND e.version = k.version WHERE k.live = 1`;

/** The reading statements of one connection, as functions. */
export interface EntryQueries {
  head(key: string): Head | undefined;
  newest(key: string): EntryRow | undefined;
  versions(key: string, before: number, limit: number): readonly EntryRow[];
  live(prefix: string, after: string | undefined, limit: number): readonly EntryRow[];
}

/** Prepares them. */
export function prepareEntryQueries(db: Database.Database): EntryQueries {
  function rows<Parameters extends unknown[]>(rest: string) {
    const statement = db.prepare<Parameters, Columns>(`SELECT ${COLUMNS} ${rest}`).raw();
    return (...parameters: Parameters) => statement.all(...parameters).map(rowOf);
  }
  const head = db
    .prepare<[string], readonly [number, number]>('SELECT version, live FROM entry_keys WHERE key = ?')
    .raw();
  const newest = rows<[string]>(
    `FROM entry_keys k CROSS JOIN entries e ON e.key_id = k.id AND e.version = k.version
     WHERE k.key = ? AND k.live = 1`,
  );
  const versions = rows<[string, number, number]>(
    `FROM entry_keys k CROSS JOIN entries e ON e.key_id = k.id
     WHERE k.key = ? AND e.version < ? ORDER BY e.version DESC ${LIMIT}`,
  );
  const liveFrom = rows<[string, string, number]>(
    `${LIVE} AND k.key >= ? AND k.${BELOW_PREFIX_END} ORDER BY k.key ${LIMIT}`,
  );
  const liveBehind = rows<[string, string, number]>(
    `${LIVE} AND k.key > ? AND k.${BELOW_PREFIX_END} ORDER BY k.key ${LIMIT}`,
  );

  return {
    head(key) {
      const found = head.get(key);
      return found === undefined ? undefined : { version: found[0], live: found[1] === 1 };
    },
    newest: (key) => newest(key)[0],
    versions,
    // One lower bound, so that a page begins where the last one ended instead of at the start of the prefix.
    live: (prefix, after, limit) =>
      after !== undefined && compareKeys(after, prefix) >= 0
        ? liveBehind(after, prefix, limit)
        : liveFrom(prefix, prefix, limit),
  };
}

function rowOf(columns: Columns): EntryRow {
  return {
    key: columns[0],
    version: columns[1],
    value: columns[2],
    author: columns[3],
    generation: columns[4],
    createdAtMs: columns[5],
    request: columns[6],
  };
}
