/** What an error inside a transaction means for the caller: spec/checking.md 3.4, row SQLite. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { leaseRules } from '../../../src/lease/rules.ts';
import { BUSY, createTransactions, type TryTransaction } from '../../../src/stores/sqlite/transaction.ts';
import { codeOf, createWorld, enqueue, itemOf, ok, type World, worker } from '../../support/world.ts';

describe('one try', () => {
  let db: Database.Database;
  let attempt: TryTransaction;
  const rows = () => db.prepare('SELECT count(*) FROM child').pluck().get();

  beforeEach(() => {
    db = new Database(':memory:');
    db.pragma('foreign_keys = ON');
    db.exec(`CREATE TABLE parent (id INTEGER PRIMARY KEY) STRICT;
      CREATE TABLE child (id INTEGER PRIMARY KEY REFERENCES parent (id) DEFERRABLE INITIALLY DEFERRED) STRICT;
      CREATE TABLE narrow (value INTEGER CHECK (value < 10)) STRICT`);
    attempt = createTransactions(db);
  });
  afterEach(() => db.close());

  it('answers the value of the body', () => {
    expect(attempt(() => 7)).toBe(7);
    expect(db.inTransaction).toBe(false);
  });

  it('a statement that fails, with a rollback that works, had no effect', () => {
    const body = () => {
      db.exec('INSERT INTO narrow VALUES (1)');
      db.exec('INSERT INTO narrow VALUES (10)');
    };
    expect(() => attempt(body)).toThrow(expect.objectContaining({ code: 'STORE_FAILED', definite: true }));
    expect(db.prepare('SELECT count(*) FROM narrow').pluck().get()).toBe(0);
    expect(db.inTransaction).toBe(false);
  });

  it('a commit that fails, with a rollback that works, had no effect', () => {
    const body = () => db.exec('INSERT INTO child VALUES (1)');
    expect(() => attempt(body)).toThrow(expect.objectContaining({ code: 'STORE_FAILED', definite: true }));
    expect(rows()).toBe(0);
    expect(attempt(() => 'next')).toBe('next');
  });

  it('a failure whose rollback is not confirmed is unknown', () => {
    const body = () => {
      db.exec('ROLLBACK'); // As SQLite does by itself after some errors.
      db.exec('INSERT INTO narrow VALUES (10)');
    };
    expect(() => attempt(body)).toThrow(expect.objectContaining({ code: 'STORE_FAILED', definite: false }));
  });

  it('an error that is not of the engine goes through as it is', () => {
    const bug = new TypeError('a bug');
    expect(() =>
      attempt(() => {
        db.exec('INSERT INTO narrow VALUES (1)');
        throw bug;
      }),
    ).toThrow(bug);
    expect(db.prepare('SELECT count(*) FROM narrow').pluck().get()).toBe(0);
  });
});

describe('in the store', () => {
  let world: World;
  beforeEach(() => {
    world = createWorld('sqlite');
  });
  afterEach(() => world.end());

  it('the write lock is taken before anything is read (case A05): nobody upgrades from reader to writer', async () => {
    const store = await world.open();
    await enqueue(store, 'k');
    const second = new Database(world.file, { timeout: 0 });
    const attempt = createTransactions(second);
    const seen = attempt(() => {
      second.prepare('SELECT * FROM items').all();
      const claimed = Promise.resolve(worker(store, 'w1').claim('k', 10));
      second.exec(`UPDATE items SET payload = '1'`);
      return claimed;
    });
    expect(seen).not.toBe(BUSY);
    await world.clock.advanceAsync(20);
    expect(codeOf(await (seen as Promise<Parameters<typeof codeOf>[0]>))).toBe('accepted');
    second.close();
  });

  it('the restore of stack traces after busy answers', async () => {
    const store = await world.open();
    await enqueue(store, 'k');
    const other = new Database(world.file);
    const limit = Error.stackTraceLimit;
    other.exec('BEGIN IMMEDIATE');
    const call = Promise.resolve(worker(store, 'w1').claim('k', 10));
    expect(Error.stackTraceLimit).toBe(limit);
    other.exec('COMMIT');
    await world.clock.advanceAsync(20);
    ok(await call);
    other.close();
  });

  it('a rule that throws leaves nothing behind and the store usable', async () => {
    const rules = {
      ...leaseRules,
      complete: () => {
        throw new Error('a broken rule');
      },
    };
    const store = await world.open({ rules });
    await enqueue(store, 'k');
    const lease = ok(await worker(store, 'w1').claim('k', 10));
    expect(() => worker(store, 'w1').complete(lease, 'x')).toThrow('a broken rule');
    expect(await itemOf(store, 'k')).toMatchObject({ state: 'leased' });
    expect(codeOf(await worker(store, 'w1').release(lease))).toBe('accepted');
  });
});
