/**
 * The checkers of entries and of the feed broken on purpose (spec/mutants.md 4.2): a copy with one expression replaced judges
 * small histories of a register against every order of their calls, or crowds on a correct store, and one of them must notice.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { checkFeed } from '../../../harness/checker/feed.ts';
import { checkIds } from '../../../harness/checker/ids-unique.ts';
import { checkRegister } from '../../../harness/checker/register.ts';
import type { History } from '../../../harness/history/history.ts';
import { DEFAULT_DECLARES, type Declares } from '../../../harness/store-module/declares.ts';
import { event, finalFeed, onBoard } from '../../support/board-script.ts';
import { boardCrowd } from '../../support/correct-board.ts';
import { type Script, script } from '../../support/history-script.ts';
import { isPossible, registerCalls, scriptOf } from '../../support/register-search.ts';

const CHECKER = resolve(import.meta.dirname, '../../../harness/checker');
const COPIES = mkdtempSync(join(tmpdir(), 'fencepost-broken-'));
afterAll(() => rmSync(COPIES, { recursive: true, force: true }));

const EMBEDDED: Declares = { ...DEFAULT_DECLARES, embedded: true };

interface Checkers {
  readonly checkRegister: typeof checkRegister;
  readonly checkFeed: typeof checkFeed;
  readonly checkIds: typeof checkIds;
}

/** Name, file, what is replaced, by what. */
type Break = readonly [name: string, file: string, from: string, to: string];

const REGISTER: readonly Break[] = [
  ['H01 (a) reversed', 'register-updates.ts', 'version !== expected + 1', 'version === expected + 1'],
  [
    'H01 (b) reversed',
    'register-order.ts',
    'before.version <= write.version',
    'before.version >= write.version',
  ],
  ['H01 (c) reversed', 'register-values.ts', 'write.value !== value', 'write.value === value'],
  [
    'H01 (d) reversed',
    'register-reads.ts',
    'before.version <= sight.version) return',
    'before.version > sight.version) return',
  ],
  [
    'H01 (g) reversed',
    'register-writers.ts',
    'missing.length > open.length) return',
    'missing.length < open.length) return',
  ],
  [
    'H09 equal stamps count as before (answers)',
    'entry-order.ts',
    'count(answered, ({ ret }) => ret < inv)',
    'count(answered, ({ ret }) => ret <= inv)',
  ],
  [
    'H09 equal stamps count as before (invokes)',
    'entry-order.ts',
    'count(sent, ({ inv }) => inv > ret)',
    'count(sent, ({ inv }) => inv >= ret)',
  ],
  ['(e) is not judged', 'register-conflicts.ts', 'all.length !== conditions.get(call)', 'all.length > 0'],
  [
    'H04 an unknown write counts as failed',
    'entry-accesses.ts',
    'outcome === OUTCOME.fail) return;',
    'outcome! >= OUTCOME.fail) return;',
  ],
  [
    'what was required is not looked at',
    'entry-accesses.ts',
    'value: -1, inv, ret, current: true, final: false',
    'value: -1, inv, ret, current: false, final: false',
  ],
];

const FEED: readonly Break[] = [
  ['H01 order of ids reversed', 'feed-pages.ts', 'event.id > last', 'event.id < last'],
  [
    'H01 skipped events are those that were delivered',
    'feed-pages.ts',
    '!== all[i]) return',
    '=== all[i]) return',
  ],
  ['an announced gap excuses nothing', 'feed-pages.ts', 'gap ? kept : ids', 'gap ? ids : ids'],
  [
    'H09 equal stamps count as before',
    'feed-order.ts',
    '< ops.inv[one.row]!; next++',
    '<= ops.inv[one.row]!; next++',
  ],
  [
    'H01 real time against ids reversed',
    'feed-order.ts',
    'greatest.seen.event.id > one.seen.event.id)',
    'greatest.seen.event.id < one.seen.event.id)',
  ],
  [
    'every write is missing',
    'feed-writes.ts',
    '!events.get(item)?.has(version)',
    'events.get(item)?.has(version)',
  ],
  ['nothing is missing', 'feed-matches.ts', 'ops.inv[row]! > since', 'ops.inv[row]! < since'],
  ['a page with a gap counts as whole', 'feed-coverage.ts', 'if (!gap) return', 'if (gap || !gap) return'],
  [
    'one sight more is a second event',
    'feed-writes.ts',
    'first.event.id !== one.event.id',
    'first.event.id === one.event.id',
  ],
  [
    'H01 two events of one id are the same',
    'ids-unique.ts',
    '!sameEvent(known.event, event)',
    'sameEvent(known.event, event)',
  ],
];

async function broken([, file, from, to]: Break, id: string): Promise<Checkers> {
  const folder = join(COPIES, id);
  cpSync(CHECKER, folder, { recursive: true });
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    let source = readFileSync(path, 'utf8').replaceAll(
      /from '\.\.\/(?!\.)/g,
      `from '${resolve(CHECKER, '..')}/`,
    );
    if (name === file) {
      if (source.split(from).length !== 2) throw new Error(`Expected ${file} to hold \`${from}\` once`);
      source = source.replace(from, () => to);
    }
    writeFileSync(path, source);
  }
  const load = async (name: string): Promise<object> => import(/* @vite-ignore */ join(folder, name));
  return {
    ...(await load('register.ts')),
    ...(await load('feed.ts')),
    ...(await load('ids-unique.ts')),
  } as Checkers;
}

/** Whether some small history of one key is judged otherwise than every order of its calls says. */
function registerNoticed({ checkRegister: check }: Checkers): boolean {
  const accuses = (h: Script): boolean => check(h.history({ embedded: true }), EMBEDDED).broken > 0;
  return [false, true].some(
    (infos) =>
      fc.check(
        fc.property(registerCalls({ maxCalls: 6, infos, deletes: true }), (calls) => {
          const isAccused = accuses(scriptOf(calls));
          const possible = isPossible(calls);
          return possible ? !isAccused : infos || isAccused;
        }),
        { numRuns: 2500, seed: 4711, endOnFailure: true },
      ).failed,
  );
}

/** Feeds that are broken in one way, and feeds that only look odd. */
function feeds(): { readonly history: History; readonly isBroken: boolean }[] {
  const one = (isBroken: boolean, write: (h: Script) => void) => {
    const h = script();
    write(h);
    return { history: h.history(), isBroken };
  };
  const written = (h: Script): ReturnType<typeof onBoard> => {
    const a = onBoard(h.worker('w1'));
    for (const made of [1, 2, 3]) a.append('k', { at: [made * 10, made * 10 + 1], made });
    return onBoard(h.worker('w2'));
  };
  const events = (...ids: number[]) => ids.map((id) => event(id, 'k', id, 'appended'));
  const crowds = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => ({
    history: boardCrowd({ seed, trims: seed % 2 === 0 }).history(),
    isBroken: false,
  }));
  return [
    ...crowds,
    one(true, (h) => written(h).since({ at: [40, 41], events: events(1, 3, 2) })),
    one(true, (h) => {
      written(h).since({ at: [40, 41], events: events(1, 3) });
      finalFeed(h, [50, 51], events(1, 2, 3));
    }),
    one(true, (h) => {
      written(h);
      finalFeed(h, [50, 51], events(1, 2));
    }),
    one(true, (h) => {
      written(h);
      finalFeed(h, [50, 51], [...events(1, 2, 3), event(4, 'k', 3)]);
    }),
    one(true, (h) => {
      const b = written(h);
      b.append('l', { at: [40, 41], made: 1 });
      finalFeed(h, [50, 51], [event(1, 'l', 1), ...[1, 2, 3].map((made) => event(made + 1, 'k', made))]);
    }),
    one(false, (h) => {
      const b = written(h);
      b.append('l', { at: [31, 41], made: 1 });
      finalFeed(h, [50, 51], [...events(1, 2), event(3, 'l', 1), event(4, 'k', 3)]);
    }),
    one(false, (h) => {
      written(h).trim(3, { at: [40, 41] });
      finalFeed(h, [50, 51], events(3), { gap: true });
    }),
    one(true, (h) => {
      const b = written(h);
      b.since({ at: [15, 16], events: events(1) });
      b.since({ at: [40, 41], events: [event(1, 'k', 3)] });
    }),
  ];
}

const FEEDS = feeds();
const feedNoticed = (checkers: Checkers): boolean =>
  FEEDS.some(({ history, isBroken }) => {
    const accused =
      checkers.checkFeed(history, DEFAULT_DECLARES).broken + checkers.checkIds(history).broken > 0;
    return accused !== isBroken;
  });

describe('the checkers as they are', { timeout: 120_000 }, () => {
  test('agree with the histories', () => {
    const sound = { checkRegister, checkFeed, checkIds };
    expect(registerNoticed(sound)).toBe(false);
    expect(feedNoticed(sound)).toBe(false);
  });
});

describe('a broken checker of entries is noticed', { timeout: 120_000 }, () => {
  test.each(REGISTER)('%s', async (...change) => {
    expect(registerNoticed(await broken(change, `register-${change[0]}`.replaceAll(/\W+/g, '-')))).toBe(true);
  });
});

describe('a broken checker of the feed is noticed', () => {
  test.each(FEED)('%s', async (...change) => {
    expect(feedNoticed(await broken(change, `feed-${change[0]}`.replaceAll(/\W+/g, '-')))).toBe(true);
  });
});
