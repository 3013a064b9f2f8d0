/** The feed on every engine: board 44, cases A21 and A22, mutant M47, and trimming. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { append, commitEach, del, set } from '../../support/entries.ts';
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

describe.each(ENGINES)('the feed on %s', (engine) => {
  let world: World;
  let a: Handle;
  const since = (cursor: number, limit = 100) => a.feed.since(cursor, limit);
  const ids = async (cursor: number, limit = 100) => (await since(cursor, limit)).events.map(({ id }) => id);
  const append5 = () => commitEach(a, ...[1, 2, 3, 4, 5].map((value) => append('log', value)));
  const reopen = async () => {
    await a.close();
    a = await world.open();
  };

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
  });
  afterEach(() => world.end());

  it('of an empty store is empty', async () => {
    expect(await since(0)).toEqual({ events: [], cursor: 0 });
  });

  it('board 44: shows every event of items and entries in the order of commits', async () => {
    await enqueue(a, 'claims/1');
    world.clock.advance(3);
    const lease = ok(await worker(a, 'w1').claim('claims/1', 10));
    ok(
      await a.entries.commit([
        set('claims/1', 'x', { fence: lease }),
        append('facts/x', 'y', { author: 'w2' }),
        del('doc'),
      ]),
    );
    ok(await worker(a, 'w1').complete(lease, 'done'));
    expect(await since(0)).toEqual({
      events: [
        { id: 1, atMs: 0, kind: 'enqueued', key: 'claims/1', author: '', generation: 0n },
        { id: 2, atMs: 3, kind: 'claimed', key: 'claims/1', author: 'w1', generation: 1n },
        { id: 3, atMs: 3, kind: 'set', key: 'claims/1', author: 'w1', version: 1, generation: 1n },
        { id: 4, atMs: 3, kind: 'appended', key: 'facts/x', author: 'w2', version: 1 },
        { id: 5, atMs: 3, kind: 'deleted', key: 'doc', author: 'w1', version: 1 },
        { id: 6, atMs: 3, kind: 'completed', key: 'claims/1', author: 'w1', generation: 1n },
      ],
      cursor: 6,
      oldestId: 1,
    });
  });

  it('board 44: since the last is empty, with the same cursor', async () => {
    await append5();
    const { cursor } = await since(0);
    expect(await since(cursor)).toEqual({ events: [], cursor, oldestId: 1 });
    await commitEach(a, append('log', 6));
    expect(await since(cursor)).toMatchObject({ events: [{ id: 6, version: 6 }], cursor: 6 });
  });

  it('a refusal leaves no event and takes no id', async () => {
    await append5();
    expect(codeOf(await a.entries.commit([append('log', 6), set('log', 7, { ifVersion: 0 })]))).toBe(
      'conflict',
    );
    await commitEach(a, append('log', 6));
    expect(await ids(5)).toEqual([6]);
  });

  it('comes in pages that join without a seam', async () => {
    await append5();
    expect(await since(0, 2)).toMatchObject({ events: [{ id: 1 }, { id: 2 }], cursor: 2 });
    expect(await since(2, 2)).toMatchObject({ events: [{ id: 3 }, { id: 4 }], cursor: 4 });
    expect(await since(4, 2)).toMatchObject({ events: [{ id: 5 }], cursor: 5 });
    expect(await since(5, 2)).toEqual({ events: [], cursor: 5, oldestId: 1 });
    expect(await ids(0, 5)).toEqual([1, 2, 3, 4, 5]);
  });

  it('a limit of 0 is legal and moves nothing', async () => {
    await append5();
    expect(await since(2, 0)).toEqual({ events: [], cursor: 2, oldestId: 1 });
  });

  it('a cursor ahead of the store stays where it is', async () => {
    await append5();
    expect(await since(99)).toEqual({ events: [], cursor: 99, oldestId: 1 });
  });

  it('A21: a follower that polls between all writes of two handles sees every event once', async () => {
    const b = await world.open();
    const seen: number[] = [];
    let cursor = 0;
    for (let i = 0; i < 50; i += 1) {
      await commitEach(i % 2 === 0 ? a : b, append(`log/${i % 3}`, i));
      const page = await (i % 3 === 0 ? a : b).feed.since(cursor, 2);
      seen.push(...page.events.map((event) => event.id));
      cursor = page.cursor;
    }
    expect(seen).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  describe('trimmed', () => {
    beforeEach(append5);

    it('announces the gap once, and goes on with the oldest that is kept', async () => {
      await a.feed.trim(4);
      const page = await since(1, 1);
      expect(page).toMatchObject({ events: [{ id: 4 }], cursor: 4, oldestId: 4, gap: true });
      expect(await since(page.cursor)).toEqual({
        events: [expect.objectContaining({ id: 5 })],
        cursor: 5,
        oldestId: 4,
      });
    });

    it('is no gap for one who has seen all that is gone', async () => {
      await a.feed.trim(4);
      expect(await since(3)).not.toHaveProperty('gap');
      expect(await since(4)).not.toHaveProperty('gap');
      expect(await since(2)).toHaveProperty('gap', true);
      expect(await since(0)).toHaveProperty('gap', true);
    });

    it('to nothing announces the gap and moves the cursor behind it', async () => {
      await a.feed.trim(99);
      expect(await since(2)).toEqual({ events: [], cursor: 5, gap: true });
      expect(await since(5)).toEqual({ events: [], cursor: 5 });
    });

    it('with a limit of 0 the gap is told and no event passed over', async () => {
      await a.feed.trim(4);
      const page = await since(0, 0);
      expect(page).toEqual({ events: [], cursor: 3, oldestId: 4, gap: true });
      expect(await ids(page.cursor)).toEqual([4, 5]);
    });

    it.each([0, 1])('before %d: nothing', async (beforeId) => {
      await a.feed.trim(beforeId);
      expect(await since(0)).toMatchObject({ oldestId: 1, cursor: 5 });
      expect(await since(0)).not.toHaveProperty('gap');
    });

    it('keeps entries, versions and counters', async () => {
      await commitEach(a, set('doc', 1), del('doc'));
      await enqueue(a, 'k');
      const before = { list: await a.entries.list('', { limit: 9 }), counters: await a.counters() };
      expect(before.counters).toMatchObject({ appends: 5, sets: 1, deletes: 1, enqueued: 1 });
      await a.feed.trim(3);
      expect(await a.counters()).toEqual(before.counters);
      await a.feed.trim(99);
      await a.feed.trim(99);
      await reopen();
      expect({ list: await a.entries.list('', { limit: 9 }), counters: await a.counters() }).toEqual(before);
      await commitEach(a, append('log', 6));
      expect(await a.counters()).toMatchObject({ appends: 6 });
    });

    it('A22, M47: the id of a trimmed event is not given out again, also after reopening', async () => {
      await a.feed.trim(6);
      await reopen();
      await commitEach(a, append('log', 6));
      expect(await since(5)).toMatchObject({ events: [{ id: 6, version: 6 }], cursor: 6, oldestId: 6 });
      expect(await since(5)).not.toHaveProperty('gap');
    });
  });
});
