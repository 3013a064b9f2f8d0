/** What is particular to an engine: transactions that fail, transactions of others, and what an index is for. */
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EntryRules, entryRules } from '../../../src/entries/rules.ts';
import { leaseRules } from '../../../src/lease/rules.ts';
import { append, commitEach, del, everything, set } from '../../support/entries.ts';
import {
  codeOf,
  createWorld,
  ENGINES,
  enqueue,
  type Handle,
  ok,
  type World,
  worker,
} from '../../support/world.ts';

describe.each(ENGINES)('%s', (engine) => {
  let world: World;
  beforeEach(() => {
    world = createWorld(engine);
  });
  afterEach(() => world.end());

  it('takes back everything when a rule throws in the middle', async () => {
    const rules: EntryRules = {
      ...entryRules,
      expect(key, head, version) {
        if (key === 'bad') throw new Error('a broken rule');
        return entryRules.expect(key, head, version);
      },
    };
    const store = await world.open({ entryRules: rules });
    await commitEach(store, set('doc', 1));
    const before = { all: await everything(store), counters: await store.counters() };
    const writes = [append('log', 1), set('doc', 2, { keep: 'latest' }), set('bad', 1, { ifVersion: 0 })];
    expect(() => store.entries.commit(writes)).toThrow('a broken rule');
    expect({ all: await everything(store), counters: await store.counters() }).toEqual(before);
    await commitEach(store, append('log', 1));
    expect((await store.feed.since(1, 9)).events).toMatchObject([{ id: 2, key: 'log', version: 1 }]);
  });

  it('a transaction that is taken back takes its event ids back', async () => {
    let claims = 0;
    const store = await world.open({
      rules: {
        ...leaseRules,
        claim(row, call, nowMs) {
          claims += 1;
          if (claims === 2) throw new Error('a broken rule');
          return leaseRules.claim(row, call, nowMs);
        },
      },
    });
    await enqueue(store, 'k1', 'k2');
    expect(() => worker(store, 'w1').claimNext('', 10, 2)).toThrow('a broken rule');
    await commitEach(store, set('k', 1));
    const page = await store.feed.since(2, 9);
    expect(page.events).toMatchObject([{ id: 3, kind: 'set' }]);
    expect(page).not.toHaveProperty('gap');
  });

  it('M28: rules can be replaced, and a store that does not compare versions lets an update be lost', async () => {
    const store = await world.open({ entryRules: { ...entryRules, expect: () => undefined } });
    await commitEach(store, set('k', 1), set('k', 2, { ifVersion: 1 }), set('k', 3, { ifVersion: 1 }));
    expect(await store.entries.get('k')).toMatchObject({ version: 3, value: 3 });
  });

  it('a closed handle refuses every call, definitely', async () => {
    const store = await world.open();
    await store.close();
    const closed = expect.objectContaining({ code: 'STORE_CLOSED', definite: true });
    expect(() => store.entries.get('k')).toThrow(closed);
    expect(() => store.entries.commit([set('k', 1)])).toThrow(closed);
    expect(() => store.entries.history('k', { limit: 1 })).toThrow(closed);
    expect(() => store.entries.list('', { limit: 1 })).toThrow(closed);
    expect(() => store.feed.since(0, 1)).toThrow(closed);
    await expect((async () => store.feed.trim(1))()).rejects.toEqual(closed);
  });
});

describe('sqlite', () => {
  let world: World;
  let store: Handle;
  let raw: Database.Database;
  beforeEach(async () => {
    world = createWorld('sqlite');
    store = await world.open();
    raw = new Database(world.file);
  });
  afterEach(() => {
    raw.close();
    world.end();
  });

  it('board 45: an uncommitted entry is absent for another handle, and present after the commit', async () => {
    raw.exec(`BEGIN IMMEDIATE;
      INSERT INTO entry_keys (id, key, version, live) VALUES (1, 'k', 1, 1);
      INSERT INTO entries (key_id, version, value, author, created_at_ms, request) VALUES (1, 1, '7', 'w2', 0, 'r');
      INSERT INTO events (at_ms, kind, key, author, version) VALUES (0, 'set', 'k', 'w2', 1)`);
    expect(await store.entries.get('k')).toBeUndefined();
    expect((await store.feed.since(0, 9)).events).toEqual([]);
    raw.exec('COMMIT');
    expect(await store.entries.get('k')).toMatchObject({ version: 1, value: 7, author: 'w2' });
    expect((await store.feed.since(0, 9)).events).toMatchObject([{ id: 1, kind: 'set', version: 1 }]);
  });

  it('board 44, A21: a transaction that is rolled back leaves no event, and its id goes to the next', async () => {
    raw.exec(`BEGIN IMMEDIATE;
      INSERT INTO events (at_ms, kind, key, author, version) VALUES (0, 'set', 'k', 'w2', 1);
      ROLLBACK`);
    await commitEach(store, set('k', 1));
    expect(await store.feed.since(0, 9)).toEqual({
      events: [expect.objectContaining({ id: 1 })],
      cursor: 1,
      oldestId: 1,
    });
  });

  it('reads and pages do not wait for the write lock', async () => {
    await commitEach(store, set('k', 1));
    raw.exec('BEGIN IMMEDIATE');
    expect(store.entries.get('k')).toMatchObject({ value: 1 });
    expect(store.entries.list('', { limit: 1 })).toHaveLength(1);
    expect(store.entries.history('k', { limit: 1 })).toHaveLength(1);
    expect(store.feed.since(0, 1)).toMatchObject({ cursor: 1 });
    raw.exec('ROLLBACK');
  });

  it('a commit waits for the write lock like a claim, and ends in a definite busy', async () => {
    raw.exec('BEGIN IMMEDIATE');
    const waiting = Promise.resolve(store.entries.commit([set('k', 1)]));
    const failed = expect(waiting).rejects.toMatchObject({ code: 'STORE_BUSY', definite: true });
    await world.clock.advanceAsync(6000);
    await failed;
    const next = store.entries.commit([set('k', 1)]);
    raw.exec('ROLLBACK');
    await world.clock.advanceAsync(50);
    ok(await next);
  });

  it('a fenced commit waits before claims and as long as the first of its leases runs', async () => {
    await enqueue(store, 'claims/1', 'claims/2', 'claims/3');
    const short = ok(await worker(store, 'w1').claim('claims/1', 8000));
    const long = ok(await worker(store, 'w1').claim('claims/2', 60_000));
    const order: string[] = [];
    const note = (name: string, call: unknown) =>
      Promise.resolve(call).then(
        () => order.push(`${name} done`),
        (error) =>
          order.push(`${name} ${(error as { code: string }).code} at ${world.clock.monotonicMs() >= 8000}`),
      );
    raw.exec('BEGIN IMMEDIATE');
    const waiting = [
      note('claim', worker(store, 'w2').claim('claims/3', 10)),
      note('plain', store.entries.commit([set('a', 1)])),
      note('both', store.entries.commit([set('b', 1, { fence: long }), set('c', 1, { fence: short })])),
      note('fenced', store.entries.commit([set('d', 1, { fence: long })])),
    ];
    await world.clock.advanceAsync(6000);
    expect(order).toEqual(['claim STORE_BUSY at false', 'plain STORE_BUSY at false']);
    await world.clock.advanceAsync(3000);
    expect(order.slice(2)).toEqual(['both STORE_BUSY at true']);
    waiting.push(note('late claim', worker(store, 'w2').claim('claims/3', 10)));
    waiting.push(note('second', store.entries.commit([set('e', 1, { fence: long })])));
    raw.exec('ROLLBACK');
    await world.clock.advanceAsync(100);
    await Promise.all(waiting);
    expect(order.slice(3)).toEqual(['fenced done', 'second done', 'late claim done']);
  });

  it('trims many events in several transactions, and counts each once', async () => {
    const other = await world.open();
    for (let i = 0; i < 26; i += 1) {
      const writes = Array.from({ length: 500 }, (_, k) => (k % 2 === 0 ? append('log', k) : set('doc', k)));
      ok(await store.entries.commit(writes));
    }
    const trimming = store.feed.trim(12_001);
    // Between two of its transactions the write lock is free.
    ok(await other.entries.commit([append('log', 'between')]));
    expect((await other.feed.since(0, 1)).oldestId).toBeLessThan(12_001);
    await trimming;
    const page = await store.feed.since(0, 9999);
    expect(page).toMatchObject({ oldestId: 12_001, gap: true, cursor: 13_001 });
    expect(page.events).toHaveLength(1001);
    expect(await store.counters()).toMatchObject({ appends: 6501, sets: 6500 });
  });

  it('A22, M47: an event that was deleted from the file by hand does not give its id away either', async () => {
    await commitEach(store, set('k', 1), set('k', 2), set('k', 3));
    raw.exec('DELETE FROM events WHERE id = 3');
    await store.close();
    store = await world.open();
    await commitEach(store, set('k', 4));
    expect((await store.feed.since(3, 9)).events).toMatchObject([{ id: 4, version: 4 }]);
    expect(await store.feed.since(2, 9)).toMatchObject({ gap: true, cursor: 4 });
  });

  it('a version cannot be written twice, whatever the rules say', async () => {
    const rules: EntryRules = { ...entryRules, nextVersion: () => 1 };
    const broken = await world.open({ entryRules: rules });
    await commitEach(broken, set('k', 1));
    const twice = expect.objectContaining({ code: 'STORE_FAILED', definite: true });
    expect(() => broken.entries.commit([set('k', 2)])).toThrow(twice);
    expect(await store.entries.get('k')).toMatchObject({ version: 1, value: 1 });
  });

  it('list does not look at deleted keys, and sorts nothing', async () => {
    await commitEach(store, set('k', 1), del('k'));
    const plan = raw
      .prepare(
        `EXPLAIN QUERY PLAN SELECT k.key FROM entry_keys k INDEXED BY entry_keys_live
         CROSS JOIN entries e ON e.key_id = k.id AND e.version = k.version
         WHERE k.live = 1 AND k.key > 'a' AND k.key < 'b' ORDER BY k.key LIMIT 5`,
      )
      .all()
      .map((row) => (row as { detail: string }).detail);
    expect(plan).toEqual([
      expect.stringContaining('SEARCH k USING INDEX entry_keys_live'),
      expect.stringContaining('SEARCH e USING'),
    ]);
  });

  it('an instant that only a trimmed event had is not forgotten: time does not run backwards over a reboot', async () => {
    world.clock.advance(5000);
    await commitEach(store, append('log', 1));
    await store.feed.trim(99);
    raw.exec('DELETE FROM entries');
    const { clock } = world;
    const rebooted = { ...clock, bootId: 'boot-2', wallMs: () => 0 };
    const later = await world.open({ clock: rebooted });
    expect(await later.nowMs()).toBeGreaterThanOrEqual(5000);
    expect(codeOf(await later.entries.commit([append('log', 2)]))).toBe('accepted');
  });
});
