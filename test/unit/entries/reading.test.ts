/** history, list and keep on every engine. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Page } from '../../../src/store.ts';
import { append, commitEach, del, set } from '../../support/entries.ts';
import { createWorld, ENGINES, type Handle, ok, type World } from '../../support/world.ts';

/** In key order: by code point. JavaScript's own order would have the pile in front of the private-use character. */
const IN_ORDER = ['A', 'a', 'a/', 'a/1', 'a/10', 'a/2', 'b', 'é', '\u{e000}', '\u{f000}', '\u{1f4a9}'];

describe.each(ENGINES)('reading on %s', (engine) => {
  let world: World;
  let a: Handle;
  const keys = async (prefix: string, page: Page) =>
    (await a.entries.list(prefix, page)).map((entry) => entry.key);
  const values = async (key: string, before?: number, limit = 50) => {
    const page = before === undefined ? { limit } : { limit, before };
    return (await a.entries.history(key, page)).map((entry) => entry.value);
  };

  beforeEach(async () => {
    world = createWorld(engine);
    a = await world.open();
  });
  afterEach(() => world.end());

  describe('history', () => {
    beforeEach(() => commitEach(a, ...[1, 2, 3, 4, 5].map((value) => append('log', value))));

    it('board 43: the newest two of five, newest first', async () => {
      expect(await values('log', undefined, 2)).toEqual([5, 4]);
    });

    it('goes on before a version, until nothing is left', async () => {
      expect(await values('log', 4, 2)).toEqual([3, 2]);
      expect(await values('log', 2, 2)).toEqual([1]);
      expect(await values('log', 1, 2)).toEqual([]);
      expect(await values('log', 0, 2)).toEqual([]);
      expect(await values('log', 99, 2)).toEqual([5, 4]);
    });

    it('of an absent key is empty', async () => {
      expect(await values('none')).toEqual([]);
    });

    it('is of that key alone', async () => {
      await commitEach(a, append('log/1', 'x'), append('lo', 'y'));
      expect(await values('log')).toEqual([5, 4, 3, 2, 1]);
    });
  });

  describe('list', () => {
    it('shows the newest of each key in key order, without deleted ones', async () => {
      await commitEach(a, set('b', 1), append('c', 1), append('c', 2), set('a', 1), set('d', 1), del('d'));
      const entries = await a.entries.list('', { limit: 10 });
      expect(entries.map(({ key, version, value }) => [key, version, value])).toEqual([
        ['a', 1, 1],
        ['b', 1, 1],
        ['c', 2, 2],
      ]);
    });

    it('shows a key again that was written again', async () => {
      await commitEach(a, set('k', 1), del('k'), set('k', 2));
      expect(await a.entries.list('', { limit: 10 })).toMatchObject([{ key: 'k', version: 3, value: 2 }]);
    });

    it('is in the order of code points', async () => {
      await commitEach(a, ...[...IN_ORDER].reverse().map((key) => set(key, 1)));
      expect(await keys('', { limit: 100 })).toEqual(IN_ORDER);
      const paged: string[] = [];
      for (let after: string | undefined; ; after = paged.at(-1)) {
        const page = await keys('', after === undefined ? { limit: 3 } : { limit: 3, after });
        if (page.length === 0) break;
        paged.push(...page);
      }
      expect(paged).toEqual(IN_ORDER);
    });

    it.each<[prefix: string, page: Page, expected: string[]]>([
      ['a/', { limit: 9 }, ['a/', 'a/1', 'a/10', 'a/2']],
      ['a/', { limit: 2 }, ['a/', 'a/1']],
      ['a/', { limit: 2, after: 'a/1' }, ['a/10', 'a/2']],
      ['a/', { limit: 9, after: 'a/11' }, ['a/2']],
      ['a/', { limit: 9, after: 'A' }, ['a/', 'a/1', 'a/10', 'a/2']],
      ['a/', { limit: 9, after: 'a/2' }, []],
      ['a/', { limit: 9, after: 'b' }, []],
      ['a/1', { limit: 9, after: 'a/1' }, ['a/10']],
      ['a/1', { limit: 9 }, ['a/1', 'a/10']],
      ['\u{e000}', { limit: 9 }, ['\u{e000}']],
      ['\u{1f4a9}', { limit: 9, after: '\u{e000}' }, ['\u{1f4a9}']],
      ['none', { limit: 9 }, []],
      // No pattern of SQL or of a shell means anything in a prefix.
      ['a%', { limit: 9 }, []],
      ['a*', { limit: 9 }, []],
      ['_', { limit: 9 }, []],
    ])('prefix %j, page %j', async (prefix, page, expected) => {
      await commitEach(a, ...IN_ORDER.map((key) => set(key, 1)));
      expect(await keys(prefix, page)).toEqual(expected);
    });

    it('goes on behind a key that was deleted since', async () => {
      await commitEach(a, set('k1', 1), set('k2', 1), set('k3', 1));
      expect(await keys('', { limit: 2 })).toEqual(['k1', 'k2']);
      await commitEach(a, del('k2'));
      expect(await keys('', { limit: 2, after: 'k2' })).toEqual(['k3']);
    });
  });

  describe('keep latest', () => {
    const latest = { keep: 'latest' } as const;

    it('leaves the newest version alone, and the numbers go on', async () => {
      await commitEach(a, set('doc', 1, latest), set('doc', 2, latest), set('doc', 3, latest));
      expect(await values('doc')).toEqual([3]);
      expect(await a.entries.get('doc')).toMatchObject({ version: 3 });
      expect(ok(await a.entries.commit([set('doc', 4, { ifVersion: 3 })]))).toMatchObject([{ version: 4 }]);
      expect(await values('doc')).toEqual([4, 3]);
    });

    it('drops what was kept before', async () => {
      await commitEach(a, set('doc', 1), set('doc', 2), set('doc', 3, latest));
      expect(await values('doc')).toEqual([3]);
    });

    it('of a delete leaves the deletion, and M46: versions do not restart', async () => {
      await commitEach(a, set('doc', 1, latest), del('doc', latest));
      expect(await a.entries.history('doc', { limit: 9 })).toMatchObject([{ version: 2, deleted: true }]);
      expect(ok(await a.entries.commit([set('doc', 1, { ...latest, ifVersion: 0 })]))).toMatchObject([
        { version: 3 },
      ]);
    });

    it('drops nothing of other keys, and nothing when the commit is refused', async () => {
      await commitEach(a, set('doc', 1), set('doc', 2), set('doc2', 1), set('doc2', 2));
      const outcome = await a.entries.commit([set('doc', 3, latest), set('doc2', 3, { ifVersion: 0 })]);
      expect(outcome.accepted).toBe(false);
      expect(await values('doc')).toEqual([2, 1]);
      await commitEach(a, set('doc', 3, latest));
      expect(await values('doc2')).toEqual([2, 1]);
    });

    it('twice in one commit leaves the last', async () => {
      ok(await a.entries.commit([set('doc', 1, latest), set('doc', 2, latest)]));
      expect(await a.entries.history('doc', { limit: 9 })).toMatchObject([{ version: 2, value: 2 }]);
    });

    it('leaves every event in the feed', async () => {
      await commitEach(a, set('doc', 1, latest), set('doc', 2, latest));
      expect((await a.feed.since(0, 9)).events).toMatchObject([{ version: 1 }, { version: 2 }]);
    });
  });
});
