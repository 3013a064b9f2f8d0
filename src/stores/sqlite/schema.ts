/** The tables of a store file, and the two numbers by which a file says that it is ours. */
import { CLOCK_ANCHORS } from './clock.ts';
import { TRIMMED_AT } from './feed.ts';
import type { FileFormat } from './format.ts';

/** `application_id` of our files: "Fenc". */
export const APPLICATION_ID = 0x46656e63;
/** `user_version`: version of the tables below. */
export const SCHEMA_VERSION = 1;

/**
 * Why it looks like this:
 *
 * - Items carry an integer id inside and the text key unique beside it; the partial indexes are small and cheap to keep.
 *   Rows are never deleted, so generations never restart and ids are the order of insertion.
 * - Instants and durations are REAL: a JavaScript number goes in and comes out unchanged, however long the lease.
 *   Numbers are compared, never texts.
 * - Event ids are AUTOINCREMENT: the number of a deleted event is never given out again, so no follower skips one.
 * - A row of `entry_keys` is never deleted, so versions go on after a delete. The partial index keeps `list` from crawling
 *   through deleted keys, and a write to a living key does not touch it. An entry without a value is a deletion.
 * - `counters` holds refusals by code under `refused:CODE`, and under `trimmed:KIND` what events that were trimmed had counted;
 *   under `trimmed-at-ms` the newest instant among those.
 * - `clock_anchors` holds what the monotonic clock of each boot is to be read with; see clock.ts.
 */
const SCHEMA = `
CREATE TABLE items (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL CHECK (state IN ('open', 'leased', 'done', 'dead')),
  generation INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  max_attempts INTEGER,
  eligible_at_ms REAL NOT NULL,
  owner TEXT,
  acquired_at_ms REAL,
  heartbeat_at_ms REAL,
  expires_at_ms REAL,
  lease_ms REAL,
  payload TEXT,
  result TEXT,
  error TEXT,
  enqueued_by TEXT,
  completed_by TEXT
) STRICT;
CREATE INDEX items_open ON items (eligible_at_ms, id) WHERE state = 'open';
CREATE INDEX items_leased ON items (expires_at_ms) WHERE state = 'leased';
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  at_ms REAL NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  author TEXT NOT NULL,
  version INTEGER,
  generation INTEGER
) STRICT;
CREATE TABLE entry_keys (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  live INTEGER NOT NULL CHECK (live IN (0, 1))
) STRICT;
CREATE INDEX entry_keys_live ON entry_keys (key) WHERE live = 1;
CREATE TABLE entries (
  id INTEGER PRIMARY KEY,
  key_id INTEGER NOT NULL REFERENCES entry_keys (id),
  version INTEGER NOT NULL,
  value TEXT,
  author TEXT NOT NULL,
  generation INTEGER,
  created_at_ms REAL NOT NULL,
  request TEXT NOT NULL,
  UNIQUE (key_id, version)
) STRICT;
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
${CLOCK_ANCHORS}`;

/** The file of a store of the contract. */
export const STORE_FORMAT: FileFormat = {
  what: 'a Fencepost store',
  applicationId: APPLICATION_ID,
  version: SCHEMA_VERSION,
  schema: SCHEMA,
  tables: ['items', 'events', 'entry_keys', 'entries', 'counters', 'clock_anchors'],
  // Ends of leases and not-before instants may lie ahead.
  instants: [
    'SELECT max(at_ms) AS at FROM events',
    'SELECT max(acquired_at_ms) FROM items',
    'SELECT max(heartbeat_at_ms) FROM items',
    `SELECT value FROM counters WHERE name = '${TRIMMED_AT}'`,
  ],
};
