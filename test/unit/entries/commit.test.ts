/** Versions and compare-and-set on every engine: the checks of spec/board.md B6 at the level of the store. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { append, commitEach, del, everything, refusalOf, set } from '../../support/entries.ts';
import { codeOf, createWorld, ENGINES, type Handle, ok, type World } from '../../support/world.ts';

describe.each(ENGINES)('commit on %s', (engine) => {
  let world: World;
  let a: Handle;
  let b: Handle;
  const commit = (...writes: Parameters<Handle['entries']['commit']>[0]) => a.entries.commit(writes);
  const versionsOf = async (key: string) =>
    (await a.entries.history(key, { limit: 100 })).map((entry) => entry.version);

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
    b = await world.open();
  });
  afterEach(() => world.end());

  it('board 1: two appends by two workers are both kept, in order, without a conflict', async () => {
    ok(await a.entries.commit([append('facts/pricing', 'A', { author: 'w1' })]));
    ok(await b.entries.commit([append('facts/pricing', 'B', { author: 'w2' })]));
    const history = await a.entries.history('facts/pricing', { limit: 50 });
    expect(history.map(({ version, value, author }) => [version, value, author])).toEqual([
      [2, 'B', 'w2'],
      [1, 'A', 'w1'],
    ]);
    expect(await a.counters()).toMatchObject({ appends: 2, conflicts: 0 });
  });

  it('board 5: the first version is 1, and the entry carries what was written', async () => {
    world.clock.advance(7);
    const write = set('plan/current', { steps: ['x'] }, { author: 'orchestrator', request: 'r-1' });
    const entry = {
      key: 'plan/current',
      version: 1,
      value: { steps: ['x'] },
      author: 'orchestrator',
      createdAtMs: 7,
      request: 'r-1',
    };
    expect(ok(await commit(write))).toEqual([entry]);
    expect(await b.entries.get('plan/current')).toEqual(entry);
  });

  it('board 6: of two who read version 1 the second is refused, and the value stays', async () => {
    await commitEach(a, set('k', 'v1'));
    ok(await a.entries.commit([set('k', 'v2', { ifVersion: 1 })]));
    const refusal = refusalOf(await b.entries.commit([set('k', 'other', { ifVersion: 1 })]));
    expect(refusal).toMatchObject({ code: 'conflict', current: 2 });
    expect(refusal.message).toBe('Expected k to have version 1, found version 2. Re-read and reconcile.');
    expect(await b.entries.get('k')).toMatchObject({ version: 2, value: 'v2' });
  });

  it('board 7: ifVersion 0 writes an absent key and conflicts with a present one', async () => {
    ok(await commit(set('k', 'x', { ifVersion: 0 })));
    const refusal = refusalOf(await commit(set('k', 'y', { ifVersion: 0 })));
    expect(refusal.message).toContain('to be absent (version 0), found version 1');
  });

  it('a version that the key does not have yet is a conflict too', async () => {
    const refusal = refusalOf(await commit(set('k', 'x', { ifVersion: 3 })));
    expect(refusal).toMatchObject({ code: 'conflict', current: 0 });
    expect(refusal.message).toContain('to have version 3, found it absent (version 0)');
  });

  it('without ifVersion the last write stands', async () => {
    await commitEach(a, set('k', 1), set('k', 2));
    expect(await a.entries.get('k')).toMatchObject({ version: 2, value: 2 });
  });

  it('board 9: a conflict adds no entry, no version and no event, and is counted', async () => {
    await commitEach(a, set('k', 'x'));
    const before = await everything(a);
    expect(codeOf(await commit(set('k', 'y', { ifVersion: 7 })))).toBe('conflict');
    expect(await everything(a)).toEqual(before);
    expect(await b.counters()).toMatchObject({ conflicts: 1, 'refusals.conflict': 1, sets: 1 });
    expect(ok(await commit(set('k', 'y', { ifVersion: 1 })))).toMatchObject([{ version: 2 }]);
  });

  it('board 12: the answer is the write itself, whatever is written right after', async () => {
    const answer = a.entries.commit([set('k', 'mine')]);
    const next = b.entries.commit([set('k', 'theirs')]);
    expect(ok(await answer)).toMatchObject([{ version: 1, value: 'mine' }]);
    expect(ok(await next)).toMatchObject([{ version: 2, value: 'theirs' }]);
  });

  it('appends and sets of one key share its versions', async () => {
    await commitEach(a, append('k', 1), set('k', 2), append('k', 3));
    expect(await versionsOf('k')).toEqual([3, 2, 1]);
  });

  describe('several writes', () => {
    it('happen together, and are answered in their order', async () => {
      const entries = ok(await commit(set('b', 1), append('a', 2), set('c', 3)));
      expect(entries.map((entry) => entry.key)).toEqual(['b', 'a', 'c']);
      expect(new Set(entries.map((entry) => entry.createdAtMs)).size).toBe(1);
    });

    it('do not happen at all when the last of them is refused', async () => {
      await commitEach(a, set('z', 1));
      const before = await everything(a);
      expect(codeOf(await commit(append('log', 1), set('x', 1), set('z', 2, { ifVersion: 0 })))).toBe(
        'conflict',
      );
      expect(await everything(a)).toEqual(before);
    });

    it('of one key count in their order', async () => {
      const entries = ok(
        await commit(set('k', 1, { ifVersion: 0 }), set('k', 2, { ifVersion: 1 }), append('k', 3)),
      );
      expect(entries.map((entry) => entry.version)).toEqual([1, 2, 3]);
      expect(codeOf(await commit(set('k', 4, { ifVersion: 3 }), set('k', 5, { ifVersion: 3 })))).toBe(
        'conflict',
      );
      expect(await versionsOf('k')).toEqual([3, 2, 1]);
    });

    it('delete and make a key again in one step', async () => {
      await commitEach(a, set('k', 1));
      const entries = ok(await commit(del('k', { ifVersion: 1 }), set('k', 2, { ifVersion: 0 })));
      expect(entries.map((entry) => entry.version)).toEqual([2, 3]);
      expect(await a.entries.get('k')).toMatchObject({ version: 3, value: 2 });
    });

    it('of none ask nothing and write nothing', async () => {
      expect(ok(await commit())).toEqual([]);
      expect((await a.feed.since(0, 10)).events).toEqual([]);
    });
  });

  describe('require', () => {
    it('lets the writes pass when every key has its version', async () => {
      await commitEach(a, set('plan', 1), set('gone', 1), del('gone'));
      const require = [
        { key: 'plan', version: 1 },
        { key: 'gone', version: 0 },
        { key: 'never', version: 0 },
      ];
      ok(await a.entries.commit([append('log', 'x')], { require }));
    });

    it('refuses all when one has another, and names it', async () => {
      await commitEach(a, set('plan', 1), set('plan', 2));
      const before = await everything(a);
      const outcome = await a.entries.commit([append('log', 'x')], {
        require: [{ key: 'plan', version: 1 }],
      });
      expect(refusalOf(outcome)).toMatchObject({ code: 'conflict', current: 2 });
      expect(refusalOf(outcome).message).toContain('plan');
      expect(await everything(a)).toEqual(before);
    });

    it('speaks of the time before the first write', async () => {
      ok(await a.entries.commit([set('k', 1)], { require: [{ key: 'k', version: 0 }] }));
    });

    it('alone only asks', async () => {
      await commitEach(a, set('k', 1));
      expect(codeOf(await a.entries.commit([], { require: [{ key: 'k', version: 1 }] }))).toBe('accepted');
      expect(codeOf(await a.entries.commit([], { require: [{ key: 'k', version: 0 }] }))).toBe('conflict');
    });
  });

  describe('a delete', () => {
    it('is a version of its own, and the key is absent', async () => {
      await commitEach(a, set('k', 1));
      const [entry] = ok(await commit(del('k', { ifVersion: 1, request: 'r-2' })));
      expect(entry).toEqual({
        key: 'k',
        version: 2,
        value: null,
        author: 'w1',
        createdAtMs: 0,
        request: 'r-2',
        deleted: true,
      });
      expect(await b.entries.get('k')).toBeUndefined();
      expect(await b.entries.history('k', { limit: 1 })).toEqual([entry]);
    });

    it('M46: the next write goes on with the versions, also after reopening', async () => {
      await commitEach(a, set('k', 1), del('k'));
      await a.close();
      await b.close();
      a = await world.open();
      expect(ok(await commit(set('k', 'again', { ifVersion: 0 })))).toMatchObject([{ version: 3 }]);
      expect(await versionsOf('k')).toEqual([3, 2, 1]);
    });

    it('M46: one who read the former life of the key is refused', async () => {
      await commitEach(a, set('k', 'first'), del('k'), set('k', 'second'));
      expect(refusalOf(await commit(set('k', 'late', { ifVersion: 1 })))).toMatchObject({ current: 3 });
    });

    it('makes the key count as absent: only ifVersion 0 meets it, its own number does not', async () => {
      await commitEach(a, set('k', 1), del('k'));
      const refusal = refusalOf(await commit(set('k', 2, { ifVersion: 2 })));
      expect(refusal).toMatchObject({ code: 'conflict', current: 0 });
      expect(refusal.message).toContain('found it absent (version 0), deleted by version 2');
      ok(await commit(set('k', 2, { ifVersion: 0 })));
    });

    it('of an absent key is a version like any other', async () => {
      expect(ok(await commit(del('k')))).toMatchObject([{ version: 1, deleted: true }]);
      expect(ok(await commit(del('k', { ifVersion: 0 })))).toMatchObject([{ version: 2, deleted: true }]);
      expect(ok(await commit(append('k', 1)))).toMatchObject([{ version: 3 }]);
    });
  });

  it('a value null is a value, and no deletion', async () => {
    expect(ok(await commit(set('k', null)))).toEqual([expect.not.objectContaining({ deleted: true })]);
    expect(await a.entries.get('k')).toMatchObject({ version: 1, value: null });
  });

  it('board B5.3: a generation is noted and never checked', async () => {
    ok(await commit(append('results/w1/x', 'part', { generation: 7n })));
    expect(await a.entries.get('results/w1/x')).toMatchObject({ generation: 7n });
    expect((await a.feed.since(0, 10)).events).toMatchObject([{ kind: 'appended', generation: 7n }]);
  });

  it('counts each accepted write once, by its kind', async () => {
    ok(await commit(append('k', 1), append('k', 2), set('d', 1), del('d')));
    expect(await b.counters()).toMatchObject({ appends: 2, sets: 1, deletes: 1, refusals: 0 });
  });

  it('keeps no tie to the objects that were handed in or out', async () => {
    const value = { list: [1] };
    const [entry] = ok(await commit(set('k', value)));
    value.list.push(2);
    Object.assign(entry?.value ?? {}, { list: [3] });
    expect(await a.entries.get('k')).toMatchObject({ value: { list: [1] } });
  });
});
