/** What `blackboard` shows and does: spec/board.md checks 58 and 59 among them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { PLAIN } from '../../../src/cli/text.ts';
import { widthOf } from '../../../src/text/layout.ts';
import { codeOf, ok, refusal, useBoards } from '../board/boards.ts';
import { blackboard, jsonLines } from './command.ts';

const boards = useBoards('sqlite');
let w1: Awaited<ReturnType<typeof boards.open>>;
let w2: Awaited<ReturnType<typeof boards.open>>;
beforeEach(async () => {
  w1 = await boards.open('w1');
  w2 = await boards.open('w2');
});
const pass = (ms: number) => boards.world.clock.advance(ms);
const run = (...args: string[]) =>
  blackboard([args[0] ?? '', boards.world.file, ...args.slice(1)], boards.world);
const widest = (text: string) => Math.max(...text.split('\n').map((line) => [...line].length));

describe('dump', () => {
  beforeEach(async () => {
    pass(Date.UTC(2026, 10, 30, 12));
    ok(await w1.append('facts/pricing', 'first'));
    ok(await w2.append('facts/pricing', { note: 'x'.repeat(200) }));
    ok(await w1.set('results/w1/part', 1));
    ok(await w1.set('results/w1/part', 2));
    ok(await w1.complete(ok(await w1.claim('claims/a')), 'done'));
  });

  it('shows every entry of append-only keys, the newest of others, and the items', async () => {
    const { stdout, code } = await run('dump');
    expect(code).toBe(0);
    expect(stdout).toMatchInlineSnapshot(`
      "12:00:00.000  facts/pricing         v2    w2          {"note":"xxxxxxxxxxxxxxxx…
      12:00:00.000  facts/pricing         v1    w1          "first"
      12:00:00.000  results/w1/part       v2    w1          2
      done          claims/a              g1    w1          "done"
      "
    `);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  });

  it('takes a namespace, whole values, and JSON', async () => {
    expect((await run('dump', '--namespace', 'claims/*')).stdout).toMatch(/^done {2,}claims\/a .*\n$/);
    expect((await run('dump', '-n', 'facts/*', '--full')).stdout).toContain('x'.repeat(200));
    const lines = jsonLines((await run('dump', '--json')).stdout);
    expect(lines).toHaveLength(4);
    expect(lines[1]).toMatchObject({
      entry: { key: 'facts/pricing', value: 'first', version: 1, author: 'w1' },
    });
    expect(lines[3]).toMatchObject({
      item: { key: 'claims/a', state: 'done', generation: 1, result: 'done' },
    });
  });

  it('says so when there is nothing', async () => {
    expect(await run('dump', '-n', 'plan/*')).toEqual({ code: 0, stdout: '', stderr: 'Nothing there.\n' });
  });

  it("reads a project's own namespaces", async () => {
    const config = join(boards.world.file, '..', 'board.json');
    writeFileSync(config, JSON.stringify({ namespaces: [{ pattern: 'results/*/*', mode: 'append' }] }));
    const { stdout } = await run('dump', '-n', 'results/*/*', '--config', config);
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    writeFileSync(config, '{"namespaces": 1}');
    const refused = await run('dump', '--config', config);
    expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('namespaces')]);
  });

  it('values cannot move the cursor', async () => {
    ok(await w1.append('facts/evil', '\u001b[2J\u009b31m\u202e'));
    ok(await w1.claim('claims/\u001b[2J', { leaseMs: 5 }));
    ok(await w1.complete(ok(await w1.claim('claims/\u202e')), null));
    for (const args of [
      ['dump'],
      ['dump', '--json'],
      ['dump', '--full'],
      ['claims'],
      ['claims', '--json'],
      ['stats'],
      ['release', 'claims/\u202e', '--force'],
      ['release', 'claims/\u202e'],
      ['release', 'no/\u001b[2J', '--force'],
      ['\u001b[2J'],
    ]) {
      const { stdout, stderr } = await run(...args);
      for (const sign of ['\u001b', '\u009b', '\u202e']) expect(stdout + stderr).not.toContain(sign);
    }
  });
});

describe('claims', () => {
  it('board 59: lists holder and time left, and marks what is expired and still held', async () => {
    ok(await w1.claim('claims/a', { leaseMs: 12_300 }));
    ok(await w2.claim('claims/b', { leaseMs: 1_000 }));
    ok(await w2.claim('claims/c', { leaseMs: 4_200 }));
    ok(await w2.release(ok(await w2.claim('claims/d'))));
    pass(4_200);
    const { stdout, stderr } = await run('claims');
    expect(stdout).toMatchInlineSnapshot(`
      "  item       holder   generation   time left
        claims/a   w1                1   8.1 s
        claims/b   w2                1   ✘ expired 3.2 s ago
        claims/c   w2                1   ✘ expired 0 ms ago
      "
    `);
    expect(stderr).toContain('2 expired and held: the next claim takes them over');
    expect(jsonLines((await run('claims', '--json')).stdout)).toMatchObject([
      { key: 'claims/a', holder: 'w1', generation: 1, leftMs: 8_100, expired: false },
      { key: 'claims/b', holder: 'w2', generation: 1, leftMs: -3_200, expired: true },
      { key: 'claims/c', leftMs: 0, expired: true },
    ]);
  });

  it('paints what is expired red, beside the mark', async () => {
    ok(await w1.claim('claims/a', { leaseMs: 1 }));
    pass(1);
    const style = { ...PLAIN, bad: (text: string) => `<red>${text}</red>` };
    const { stdout } = await blackboard(['claims', boards.world.file], { ...boards.world, style });
    expect(stdout).toContain('<red>✘ expired 0 ms ago</red>');
  });

  it('says so when nothing is held', async () => {
    expect(await run('claims')).toEqual({ code: 0, stdout: '', stderr: 'No item is held.\n' });
  });
});

describe('release', () => {
  it('asks for --force, and touches nothing without', async () => {
    const lease = ok(await w1.claim('claims/a'));
    const { code, stderr } = await run('release', 'claims/a');
    expect([code, stderr]).toEqual([64, expect.stringContaining('--force')]);
    ok(await w1.heartbeat(lease));
  });

  it('takes the item from its holder, and an event names who did it', async () => {
    const lease = ok(await w1.claim('claims/a'));
    const { code, stderr } = await run('release', 'claims/a', '--force', '--as', 'ann');
    expect(code).toBe(0);
    expect(stderr).toBe(
      'Released claims/a, held by w1 under generation 1. Recorded as force-released by\nann.\n',
    );
    expect(codeOf(await w1.heartbeat(lease))).toBe('not-held');
    expect(boards.world.events().at(-1)).toMatchObject({
      kind: 'force-released',
      author: 'ann',
      generation: 1,
    });
  });

  it('exits 1 when there is nothing to release', async () => {
    ok(await w1.complete(ok(await w1.claim('claims/a')), null));
    expect(await run('release', 'claims/a', '--force')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('completed'),
    });
    const answer = await run('release', 'claims/none', '--force', '--json');
    expect(answer.code).toBe(1);
    expect(jsonLines(answer.stdout)).toMatchObject([{ released: false, refusal: { code: 'unknown-item' } }]);
  });
});

describe('every command', () => {
  const KEY = `facts/${'pricing-'.repeat(12)}`;
  beforeEach(async () => {
    pass(Date.UTC(2026, 10, 30, 12));
    ok(await w1.append(KEY, { note: 'x'.repeat(200) }));
    ok(await w1.append('facts/a', 1));
    ok(await w1.claim(`claims/${'item-'.repeat(12)}`, { leaseMs: 5 }));
    ok(await w2.complete(ok(await w2.claim('claims/b')), { result: 'y'.repeat(90) }));
    pass(10);
  });

  it.each([40, 80, 120])('fits %d columns', async (width) => {
    const style = { ...PLAIN, width };
    const stop = new AbortController();
    const interruption = { signal: stop.signal, by: () => 'SIGINT' as const };
    for (const args of [
      ['dump', boards.world.file],
      ['claims', boards.world.file],
      ['stats', boards.world.file],
      ['watch', boards.world.file, '--since', '0'],
      ['release', boards.world.file, 'claims/b', '--force'],
      ['release', boards.world.file, 'claims/b'],
      ['nope'],
      ['dump', 'none.db'],
      ['--help'],
      ...['dump', 'watch', 'claims', 'release', 'stats', 'view'].map((name) => [name, '--help']),
    ]) {
      const onWrite = () => stop.abort();
      const { stdout, stderr } = await blackboard(args, { ...boards.world, style, interruption, onWrite });
      const tooWide = `${stdout}\n${stderr}`.split('\n').filter((line) => widthOf(line) > width);
      expect([args, tooWide]).toEqual([args, []]);
    }
  });

  it('puts below what does not fit beside', async () => {
    const { stdout } = await blackboard(['dump', boards.world.file, '-n', 'facts/a'], {
      ...boards.world,
      style: { ...PLAIN, width: 40 },
    });
    expect(stdout).toBe('12:00:00.000  facts/a  v1  w1\n    1\n');
  });
});

describe('stats', () => {
  it('board 58: reports the conflicts and the reclaims of a run', async () => {
    const orchestrator = w1.asWorker('orchestrator');
    ok(await orchestrator.set('plan/a', 1));
    for (let i = 0; i < 3; i += 1) refusal(await orchestrator.set('plan/a', 2, { ifVersion: 9 }));
    for (let i = 0; i < 2; i += 1) {
      ok(await w1.claim('claims/a', { leaseMs: 10 }));
      pass(10);
      ok(await w2.claim('claims/a', { leaseMs: 10 }));
      pass(10);
    }
    const [stats] = jsonLines((await run('stats', '--json')).stdout);
    // The second claim of w1 took over from w2 as well.
    expect(stats).toMatchObject({
      conflicts: 3,
      reclaims: 3,
      claims: 4,
      answers: 8,
      conflictRate: 3 / 8,
      reclaimRate: 3 / 4,
    });
    const { stdout } = await run('stats');
    expect(stdout).toMatch(/conflicts +3 of 8 answers +38 %/);
    expect(stdout).toMatch(/reclaims +3 of 4 claims +75 %/);
  });

  it('counts keys, entries and items of each namespace, and fits 80 columns', async () => {
    ok(await w1.append('facts/a', 1));
    ok(await w1.append('facts/a', 2));
    ok(await w2.append('facts/b', 3));
    ok(await w1.claim('claims/a'));
    const { stdout } = await run('stats');
    expect(stdout).toMatchInlineSnapshot(`
      "  conflicts   0 of 4 answers   0 %
        reclaims    0 of 1 claims   0 %
        reads       not recorded; createBoard({ recordReads: true }) does

        namespace   mode     keys   entries   items
        facts/*     append      2         3       0
        claims/*    leased      0         0       1
      "
    `);
    expect(widest(stdout)).toBeLessThanOrEqual(80);
  });

  it('tells who reads, where that is recorded', async () => {
    ok(await w1.append('facts/a', 1));
    const reader = await boards.open('reader', { recordReads: true });
    await reader.view({ subscribe: ['facts/*'] });
    expect((await run('stats')).stdout).toContain('reads       reader: 1 entry of others, 1 view (at least)');
  });

  describe('gives one sentence of advice', () => {
    const advice = async () =>
      (jsonLines((await run('stats', '--json')).stdout)[0] as { advice?: string }).advice;

    it('about leases that run out', async () => {
      for (let i = 0; i < 20; i += 1) {
        ok(await (i % 2 ? w1 : w2).claim('claims/a', { leaseMs: 10 }));
        pass(10);
      }
      expect(await advice()).toContain('too short, or workers die');
      expect((await run('stats')).stdout).toContain('Many leases ran out');
    });

    it('about contention', async () => {
      ok(await w1.claim('claims/a'));
      for (let i = 0; i < 20; i += 1) refusal(await w2.claim('claims/a'));
      expect(await advice()).toContain('Too contended');
    });

    it('about a board that nobody reads', async () => {
      const board = await boards.open('w3', { recordReads: true });
      for (let i = 0; i < 20; i += 1) ok(await w1.append('facts/a', i));
      await board.view({ subscribe: ['plan/*'] });
      expect(await advice()).toContain('coordinator');
      await board.view({ subscribe: ['facts/*'] });
      expect(await advice()).toBeUndefined();
    });

    it('not when all is well, nor when little was seen', async () => {
      ok(await w1.claim('claims/a'));
      refusal(await w2.claim('claims/a'));
      expect(await advice()).toBeUndefined();
    });
  });
});

describe('view', () => {
  it("prints the view of a worker, and nothing of the worker's own", async () => {
    ok(await w1.append('facts/a', 'mine'));
    ok(await w2.append('facts/a', 'theirs'));
    ok(await w1.asWorker('orchestrator').set('plan/current', 'the plan'));
    const { stdout } = await run(
      'view',
      'w1',
      '--subscribe',
      'facts/*',
      '--pinned',
      'plan/current',
      '--limit',
      '500',
    );
    expect(stdout.split('\n')[1]).toContain('the plan');
    expect(stdout).toContain('theirs');
    expect(stdout).not.toContain('mine');
  });

  it('says so when there is nothing, and refuses what it cannot read', async () => {
    expect(await run('view', 'w1', '-s', 'facts/*')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Nothing to show to w1.\n',
    });
    expect((await run('view', 'w1')).code).toBe(64);
    expect((await run('view', 'w/1', '-s', 'facts/*')).code).toBe(64);
    expect((await run('view', 'w1', '-s', 'facts/*', '--limit', '7')).code).toBe(64);
  });
});

describe('watch', () => {
  it('shows what is there, then what comes, until it is interrupted', async () => {
    const stop = new AbortController();
    ok(await w1.append('facts/a', 1));
    let heard = '';
    const written: (() => void)[] = [];
    const running = blackboard(['watch', boards.world.file, '--since', '0', '--every', '50'], {
      clock: boards.world.clock,
      interruption: { signal: stop.signal, by: () => 'SIGINT' },
      onWrite(text) {
        heard += text;
        written.shift()?.();
      },
    });
    await new Promise<void>((resolve) => (heard === '' ? written.push(resolve) : resolve()));
    ok(await w2.claim('claims/a', { leaseMs: 10 }));
    await boards.world.clock.advanceAsync(50);
    ok(await w1.claim('claims/a', { leaseMs: 10 }));
    await boards.world.clock.advanceAsync(50);
    stop.abort();
    const { code } = await running;
    expect(code).toBe(130);
    expect(
      heard
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().split(/\s+/).slice(2)),
    ).toEqual([
      ['appended', 'facts/a', 'w1', 'v1'],
      ['claimed', 'claims/a', 'w2', 'g1'],
      ['reclaimed', 'claims/a', 'w1', 'g2'],
    ]);
    expect(boards.world.clock.timers()).toBe(0);
  });

  it('begins with what is new unless told otherwise, and announces what was trimmed', async () => {
    for (let i = 0; i < 3; i += 1) ok(await w1.append('facts/a', i));
    await w1.store.feed.trim(3);
    const ended = new AbortController();
    ended.abort();
    const end = {
      clock: boards.world.clock,
      interruption: { signal: ended.signal, by: () => 'SIGTERM' as const },
    };
    expect(await blackboard(['watch', boards.world.file], end)).toMatchObject({ stdout: '', code: 143 });
    const stop = new AbortController();
    const ran = await blackboard(['watch', boards.world.file, '--since', '0', '--json'], {
      clock: boards.world.clock,
      interruption: { signal: stop.signal, by: () => 'SIGINT' },
      onWrite: () => stop.abort(),
    });
    expect(ran.stderr).toBe('Events behind 0 were trimmed; going on with 3.\n');
    expect(jsonLines(ran.stdout)).toMatchObject([{ id: 3, kind: 'appended', version: 3 }]);
  });
});
