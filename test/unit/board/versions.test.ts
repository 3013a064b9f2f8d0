/** Versions, conflicts, history, the feed: spec/board.md checks 6-9, 12, 43-45, 55. */
import Database from 'better-sqlite3';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Board } from '../../../src/board/types.ts';
import type { EntryStore } from '../../../src/store.ts';
import { codeOf, ENGINES, ok, refusal, thrown, useBoards } from './boards.ts';

describe.each(ENGINES)('versions on %s', (engine) => {
  const boards = useBoards(engine);
  // The plan is written by the orchestrator alone: both handles carry its label (spec/board.md B7.26).
  let first: Awaited<ReturnType<typeof boards.open>>;
  let second: Board;
  beforeEach(async () => {
    first = await boards.open('orchestrator');
    second = await boards.open('orchestrator');
  });

  it('board 6: of two that saw version 1 one wins, and the other is told to re-read', async () => {
    ok(await first.set('plan/current', 'v1'));
    expect((await first.get('plan/current'))?.version).toBe(1);
    expect((await second.get('plan/current'))?.version).toBe(1);
    expect(ok(await first.set('plan/current', 'v2', { ifVersion: 1 })).version).toBe(2);
    const lost = refusal(await second.set('plan/current', 'mine', { ifVersion: 1 }));
    expect(lost).toMatchObject({ code: 'conflict', current: 2 });
    expect(lost.message).toMatch(/version 1\b.*version 2\b.*Re-read and reconcile/);
    expect(await second.get('plan/current')).toMatchObject({ value: 'v2', version: 2 });
  });

  it('board 7: ifVersion 0 writes an absent key and conflicts on a present one', async () => {
    ok(await first.set('plan/current', 'v1', { ifVersion: 0 }));
    expect(codeOf(await first.set('plan/current', 'v2', { ifVersion: 0 }))).toBe('conflict');
  });

  it('board 8: an existing plan is not overwritten unseen', async () => {
    ok(await first.set('plan/current', 'v1'));
    expect(codeOf(await first.set('plan/current', 'v2'))).toBe('conflict');
    expect((await first.get('plan/current'))?.value).toBe('v1');
  });

  it('board 9: a conflict leaves no entry, no version and no event', async () => {
    ok(await first.set('plan/current', 'v1'));
    const events = boards.world.events();
    refusal(await second.set('plan/current', 'v2', { ifVersion: 7 }));
    expect(boards.world.events()).toEqual(events);
    expect(await first.history('plan/current')).toHaveLength(1);
    expect(ok(await first.set('plan/current', 'v2', { ifVersion: 1 })).version).toBe(2);
  });

  it('board 12: a write answers with its own entry although somebody writes right after', async () => {
    const { entries } = first.store;
    const raced: EntryStore = {
      get: (key) => entries.get(key),
      list: (prefix, page) => entries.list(prefix, page),
      history: (key, page) => entries.history(key, page),
      async commit(writes, options) {
        const outcome = await entries.commit(writes, options);
        ok(await second.append('facts/x', 'theirs'));
        return outcome;
      },
    };
    const { createBoard } = await import('../../../src/board/board.ts');
    const board = createBoard({ store: { ...first.store, entries: raced } });
    expect(ok(await board.append('facts/x', 'mine'))).toMatchObject({ value: 'mine', version: 1 });
    expect(await board.get('facts/x')).toMatchObject({ value: 'theirs', version: 2 });
  });

  it('board 43: history shows the newest, newest first', async () => {
    for (const value of [1, 2, 3, 4, 5]) ok(await first.append('facts/x', value));
    const values = async (page: { limit?: number; before?: number }) =>
      (await first.history('facts/x', page)).map((entry) => entry.value);
    expect(await values({ limit: 2 })).toEqual([5, 4]);
    expect(await values({ limit: 2, before: 4 })).toEqual([3, 2]);
    expect(await values({})).toEqual([5, 4, 3, 2, 1]);
    for (let i = 0; i < 50; i += 1) ok(await first.append('facts/x', i));
    expect(await values({})).toHaveLength(50);
    await expect(first.history('facts/x', { limit: 0 })).rejects.toEqual(thrown('INVALID_ARGUMENT'));
  });

  it('board 44: since shows every event in ascending id, and nothing of what was rolled back', async () => {
    ok(await first.append('facts/x', 1));
    refusal(await first.set('plan/x', 1, { ifVersion: 4 }));
    const lease = ok(await first.claim('claims/x'));
    ok(await first.complete(lease, 'done'));
    const { events, cursor } = await second.since(0);
    expect(events.map(({ id, kind, key }) => [id, kind, key])).toEqual([
      [1, 'appended', 'facts/x'],
      [2, 'claimed', 'claims/x'],
      [3, 'completed', 'claims/x'],
    ]);
    expect(await second.since(cursor)).toMatchObject({ events: [], cursor });
    expect((await second.since(0, 2)).events).toHaveLength(2);
  });

  it('board 45: what is committed is seen by every handle, what is not by none', async () => {
    ok(await first.append('facts/x', 'before'));
    if (engine === 'sqlite') {
      const raw = new Database(boards.world.file);
      raw.exec(`BEGIN IMMEDIATE; UPDATE entries SET value = '"after"'`);
      expect((await second.get('facts/x'))?.value).toBe('before');
      raw.exec('COMMIT');
      raw.close();
      expect((await second.get('facts/x'))?.value).toBe('after');
    } else {
      // In memory a commit is one synchronous stretch. Of one that fails in the middle nothing is seen.
      const write = { op: 'append', author: 'w1', request: 'r', key: 'facts/x' } as const;
      const { entries } = first.store;
      expect(
        codeOf(await entries.commit([{ ...write, value: 1 }], { require: [{ key: 'facts/x', version: 9 }] })),
      ).toBe('conflict');
      expect((await second.get('facts/x'))?.value).toBe('before');
      ok(await entries.commit([{ ...write, value: 'after' }]));
      expect((await second.get('facts/x'))?.value).toBe('after');
    }
  });

  describe('update', () => {
    it('board 55: against a writer that always wins it tries 4 times, tells the orchestrator once, and fails by type', async () => {
      const worker = await boards.open('w1', {
        namespaces: [{ pattern: 'shared/*', mode: 'single', writer: 'w1' }],
      });
      const rival = await boards.open('w1', {
        namespaces: [{ pattern: 'shared/*', mode: 'single', writer: 'w1' }],
      });
      let tries = 0;
      const outcome = await worker.update('shared/x', async (value) => {
        tries += 1;
        ok(await rival.set('shared/x', tries, { ifVersion: tries - 1 }));
        return `${value}`;
      });
      expect(tries).toBe(4);
      expect(outcome).toMatchObject({
        accepted: false,
        refusal: { code: 'persistent-conflict', tries: 4, current: 4 },
      });
      const { events } = await worker.since(0);
      const key = 'notices/orchestrator/persistent-conflict';
      expect(events.filter((event) => event.key.startsWith('notices/'))).toMatchObject([
        { kind: 'appended', key, author: 'w1', version: 1 },
      ]);
      expect((await worker.get(key))?.value).toEqual({ key: 'shared/x', worker: 'w1', tries: 4, version: 4 });
      expect((await worker.get('shared/x'))?.value).toBe(4);
      const orchestrator = worker.asWorker('orchestrator');
      expect(await orchestrator.view({ subscribe: ['notices/orchestrator/*'] })).toContain('shared/x');
    });

    it('makes an absent key, and goes on from what it finds', async () => {
      const add = (value: unknown) => (typeof value === 'number' ? value + 1 : 1);
      expect(ok(await first.update('plan/n', add))).toMatchObject({ value: 1, version: 1 });
      expect(ok(await second.update('plan/n', add))).toMatchObject({ value: 2, version: 2 });
    });

    it('wins after a conflict', async () => {
      let tries = 0;
      const outcome = await first.update('plan/n', async (value) => {
        tries += 1;
        if (tries === 1) ok(await second.set('plan/n', 'theirs'));
        return [value ?? null];
      });
      expect(outcome).toMatchObject({ accepted: true, value: { value: ['theirs'], version: 2 } });
    });

    it('asks for permission before it runs anything', async () => {
      let ran = false;
      const change = () => {
        ran = true;
        return 1;
      };
      await expect(first.asWorker('scout').update('plan/n', change)).rejects.toEqual(
        thrown('PERMISSION_DENIED'),
      );
      await expect(first.update('facts/n', change)).rejects.toEqual(thrown('WRONG_MODE'));
      expect(ran).toBe(false);
    });

    it('gives up at once when the lease is lost', async () => {
      const lease = ok(await first.claim('claims/x', { leaseMs: 10 }));
      boards.world.clock.advance(10);
      let tries = 0;
      const outcome = await first.update('claims/x', () => ++tries, { lease });
      expect([codeOf(outcome), tries]).toEqual(['expired', 1]);
    });
  });
});
