/** Opening a store file: what is made, what is refused, and that what is refused is left as it was. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { APPLICATION_ID, SCHEMA_VERSION } from '../../../src/stores/sqlite/schema.ts';
import { createSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';
import { enqueue, itemOf, ok, worker } from '../../support/world.ts';

let folder: string;
let file: string;
const clock = createFakeClock();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-open-'));
  file = join(folder, 'store.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = () => createSqliteStore({ file, clock });

/** Runs statements on the file through a plain connection. */
function raw(body: (db: Database.Database) => void): void {
  const db = new Database(file);
  body(db);
  db.close();
}

/** Content of every file of the folder. */
function content(): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
}

async function refusedUntouched(code: string, message: RegExp): Promise<void> {
  const before = content();
  await expect(open()).rejects.toMatchObject({
    code,
    definite: true,
    message: expect.stringMatching(message),
  });
  expect(content()).toEqual(before);
}

describe('a file that is made', () => {
  it('says whose it is, and is in WAL mode', async () => {
    const store = await open();
    raw((db) => {
      expect(db.pragma('application_id', { simple: true })).toBe(APPLICATION_ID);
      expect(db.pragma('user_version', { simple: true })).toBe(SCHEMA_VERSION);
      expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
    });
    store.close();
  });

  it('may be there already with nothing in it', async () => {
    writeFileSync(file, '');
    const store = await open();
    await enqueue(store, 'k');
    store.close();
  });

  it('may be a database without tables, also in WAL mode', async () => {
    raw((db) => db.pragma('journal_mode = WAL'));
    const store = await open();
    await enqueue(store, 'k');
    store.close();
  });

  it('keeps items, leases and counters over reopening', async () => {
    const first = await open();
    await enqueue(first, 'k');
    const lease = ok(await worker(first, 'w1').claim('k', 1000));
    first.close();
    const second = await open();
    expect(await itemOf(second, 'k')).toMatchObject({ state: 'leased', owner: 'w1', generation: 1n });
    ok(await worker(second, 'w1').complete(lease, 'x'));
    expect(await second.counters()).toMatchObject({ enqueued: 1, claims: 1, completes: 1 });
    second.close();
  });

  it.each([undefined, 'process-crash', 'power-loss'] as const)(
    'works with durability %s',
    async (durability) => {
      const store = await createSqliteStore({ file, clock, ...(durability && { durability }) });
      await enqueue(store, 'k');
      store.close();
    },
  );

  it('has exactly the indexes that claims use: no scan, no sorting of open items', async () => {
    const store = await open();
    raw((db) => {
      const plan = (sql: string) =>
        db
          .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
          .all()
          .map((row) => row.detail);
      expect(
        plan(
          `SELECT * FROM items WHERE state = 'open' AND eligible_at_ms <= 1 ORDER BY eligible_at_ms, id LIMIT 1`,
        ),
      ).toEqual(['SEARCH items USING INDEX items_open (eligible_at_ms<?)']);
      expect(plan(`SELECT 1 FROM items WHERE state = 'leased' AND expires_at_ms <= 1`)).toEqual([
        'SEARCH items USING COVERING INDEX items_leased (expires_at_ms<?)',
      ]);
    });
    store.close();
  });
});

describe('a file that is refused', () => {
  it('a database of something else', async () => {
    raw((db) => db.exec('CREATE TABLE users (name TEXT)'));
    await refusedUntouched('STORE_FOREIGN', /application_id .*not touched/);
    raw((db) => expect(db.pragma('journal_mode', { simple: true })).toBe('delete'));
  });

  it('a database of something else that names itself', async () => {
    raw((db) => {
      db.pragma('application_id = 12345');
      db.exec('CREATE TABLE users (name TEXT)');
    });
    await refusedUntouched('STORE_FOREIGN', /found application_id 12345/);
  });

  it('a foreign database whose tables are still in its WAL', async () => {
    const db = new Database(file);
    db.pragma('journal_mode = WAL');
    db.exec('CREATE TABLE users (name TEXT)');
    const before = readFileSync(file);
    await expect(open()).rejects.toMatchObject({ code: 'STORE_FOREIGN' });
    expect(readFileSync(file)).toEqual(before);
    expect(db.prepare('SELECT count(*) FROM sqlite_schema').pluck().get()).toBe(1);
    db.close();
  });

  it('a file of a newer version', async () => {
    (await open()).close();
    raw((db) => {
      db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
      db.pragma('wal_checkpoint(TRUNCATE)');
    });
    await refusedUntouched('STORE_NEWER', /schema version 1 at most, found 2/);
  });

  it('a file of ours without its version', async () => {
    (await open()).close();
    raw((db) => db.pragma('user_version = 0'));
    await refusedUntouched('STORE_CORRUPT', /schema version 1, found 0/);
  });

  it('text', async () => {
    writeFileSync(file, 'hello\n'.repeat(1000));
    await refusedUntouched('STORE_CORRUPT', /to have an SQLite database/);
  });

  it('a few bytes', async () => {
    writeFileSync(file, 'SQLite format 3\0');
    await refusedUntouched('STORE_CORRUPT', /found 16 bytes/);
  });

  it('a file cut in the middle', async () => {
    const store = await open();
    await enqueue(store, ...Array.from({ length: 500 }, (_, i) => `k${i}`));
    store.close();
    truncateSync(file, 8192);
    const before = readFileSync(file);
    await expect(open()).rejects.toMatchObject({ code: 'STORE_CORRUPT', definite: true });
    expect(readFileSync(file)).toEqual(before);
  });

  it('a file of ours that lacks a table', async () => {
    (await open()).close();
    raw((db) => db.exec('DROP TABLE events'));
    await expect(open()).rejects.toMatchObject({
      code: 'STORE_CORRUPT',
      message: expect.stringContaining('a table events'),
    });
  });

  it('a folder', async () => {
    mkdirSync(file);
    await expect(open()).rejects.toMatchObject({ definite: true });
  });

  it('a file in a folder that is not there', async () => {
    file = join(folder, 'none', 'store.db');
    await refusedUntouched('STORE_FAILED', /Expected the folder .*none to exist/);
  });

  it.each(['', ':memory:', 7, undefined])('the file name %j', async (bad) => {
    await expect(createSqliteStore({ file: bad as string })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
  });
});

it('an event number is never given out twice, also when the newest event was deleted (case A22)', async () => {
  const store = await open();
  await enqueue(store, 'k1', 'k2', 'k3');
  store.close();
  raw((db) => db.exec('DELETE FROM events WHERE id = 3'));
  const again = await open();
  await enqueue(again, 'k4');
  again.close();
  raw((db) => expect(db.prepare('SELECT id FROM events ORDER BY id').pluck().all()).toEqual([1, 2, 4]));
  raw((db) => db.exec('DELETE FROM events'));
  const last = await open();
  await enqueue(last, 'k5');
  last.close();
  raw((db) => expect(db.prepare('SELECT id FROM events').pluck().all()).toEqual([5]));
});
