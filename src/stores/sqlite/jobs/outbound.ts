/** Outbound entries in a file of background jobs. */
import type { OutboundEntry, OutboundState, OutboundStore } from '../../../jobs/outbound/entry.ts';
import type { Json } from '../../../store.ts';
import { mustChangeOne } from '../must-change.ts';
import { LIMIT } from '../sql.ts';
import { openJobsFile, type SqliteJobStoreOptions } from './connection.ts';
import { UNSENT } from './format.ts';

/** In the order of `entryOf`. */
const COLUMNS = `key, lane, payload, state, created_at_ms, due_at_ms, claimed_at_ms, settled_at_ms, attempts, error,
  possible_duplicate, sender, revision`;

type Columns = readonly [
  key: string,
  lane: string,
  payload: string,
  state: OutboundState,
  createdAtMs: number,
  dueAtMs: number,
  claimedAtMs: number | null,
  settledAtMs: number | null,
  attempts: number,
  error: string | null,
  possibleDuplicate: number,
  sender: string | null,
  revision: number,
];

const WAITS = `state IN ('pending', 'recovered', 'failed')`;
/** Nothing earlier of its lane is still to be sent. */
const IS_HEAD = `seq = (SELECT min(seq) FROM outbound ahead WHERE ahead.lane = outbound.lane AND ahead.${UNSENT})`;

/**
 * Opens the outbound entries of a file of background jobs; the file may be the one of a job store.
 *
 * @throws FencepostError as `createSqliteJobStore`
 */
export function createSqliteOutboundStore(options: SqliteJobStoreOptions): OutboundStore {
  const { db, now, instances, instanceStore, write, read, close } = openJobsFile(options);
  const rows = <Parameters extends unknown[]>(rest: string) => {
    const statement = db.prepare<Parameters, Columns>(`SELECT ${COLUMNS} FROM outbound ${rest}`).raw();
    return (...parameters: Parameters) => statement.all(...parameters).map(entryOf);
  };
  const due = (head: string) => ({
    now: rows<[number, number]>(
      `WHERE ${UNSENT} AND ${WAITS} AND due_at_ms <= ? ${head} ORDER BY seq ${LIMIT}`,
    ),
    next: db
      .prepare<[number], number | null>(
        `SELECT min(due_at_ms) FROM outbound WHERE ${UNSENT} AND ${WAITS} AND due_at_ms > ? ${head}`,
      )
      .pluck(),
  });
  const by = { strict: due(`AND ${IS_HEAD}`), 'best-effort': due('') };
  const find = rows<[string]>('WHERE key = ?');
  const all = rows<[]>('ORDER BY seq');
  const sending = rows<[]>(`WHERE ${UNSENT} AND state = 'sending' ORDER BY seq`);
  const insert = db.prepare(
    `INSERT INTO outbound (${COLUMNS}) VALUES (@key, @lane, @payload, @state, @createdAtMs, @dueAtMs, @claimedAtMs, @settledAtMs,
       @attempts, @error, @possibleDuplicate, @sender, @revision)`,
  );
  const update = db.prepare(
    `UPDATE outbound SET state = @state, due_at_ms = @dueAtMs, claimed_at_ms = @claimedAtMs, settled_at_ms = @settledAtMs,
       attempts = @attempts, error = @error, possible_duplicate = @possibleDuplicate, sender = @sender, revision = @revision
     WHERE key = @key`,
  );
  const evictOld = db.prepare('DELETE FROM outbound WHERE settled_at_ms < ?');
  const total = db.prepare<[], number>('SELECT count(*) FROM outbound').pluck();
  const evictMost = db.prepare(
    `DELETE FROM outbound WHERE seq IN (SELECT seq FROM outbound WHERE settled_at_ms IS NOT NULL
       ORDER BY state = 'sent' DESC, settled_at_ms, seq ${LIMIT})`,
  );

  return {
    ...instanceStore,
    put: (entry, ifRevision, writer) =>
      write(() => {
        if ((find(entry.key)[0]?.revision ?? 0) !== ifRevision) return false;
        const changes = (ifRevision === 0 ? insert : update).run(parametersOf(entry)).changes;
        mustChangeOne(changes, `outbound entry ${entry.key}`);
        instances.beat(writer, now());
        return true;
      }),
    get: (key) => read(() => find(key)[0]),
    eligible: (ordering, nowMs, limit) => read(() => by[ordering].now(nowMs, limit)),
    nextDueMs: (ordering, nowMs) => read(() => by[ordering].next.get(nowMs) ?? undefined),
    sending: () => read(() => sending()),
    list: () => read(() => all()),
    evict: ({ settledBeforeMs, maxEntries }) =>
      write(() => {
        const old = evictOld.run(settledBeforeMs).changes;
        const tooMany = (total.get() ?? 0) - maxEntries;
        return old + (tooMany > 0 ? evictMost.run(tooMany).changes : 0);
      }),
    close,
  };
}

function parametersOf({ payload, possibleDuplicate, ...plain }: OutboundEntry) {
  return { ...plain, payload: JSON.stringify(payload), possibleDuplicate: possibleDuplicate ? 1 : 0 };
}

function entryOf(columns: Columns): OutboundEntry {
  const [key, lane, payload, state, createdAtMs, dueAtMs, claimedAtMs, settledAtMs, attempts, error] =
    columns;
  const [possibleDuplicate, sender, revision] = columns.slice(10) as [number, string | null, number];
  return {
    key,
    lane,
    payload: JSON.parse(payload) as Json,
    state,
    createdAtMs,
    dueAtMs,
    claimedAtMs,
    settledAtMs,
    attempts,
    error,
    possibleDuplicate: possibleDuplicate === 1,
    sender,
    revision,
  };
}
