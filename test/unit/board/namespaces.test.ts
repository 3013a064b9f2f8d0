/** Who may write what, and how: spec/board.md checks 1-5, 10, 11, 39, 41, 42, 60. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Board } from '../../../src/board/types.ts';
import type { Json } from '../../../src/store.ts';
import { codeOf, ENGINES, ok, thrown, useBoards } from './boards.ts';

describe.each(ENGINES)('namespaces on %s', (engine) => {
  const boards = useBoards(engine);
  let w1: Board;
  let w2: Board;
  let orchestrator: Board;
  beforeEach(async () => {
    w1 = await boards.open('worker-1');
    w2 = await boards.open('worker-2');
    orchestrator = await boards.open('orchestrator');
  });

  it('board 1: two workers append to one fact, and both findings are kept', async () => {
    ok(await w1.append('facts/pricing', 'A'));
    ok(await w2.append('facts/pricing', 'B'));
    const entries = await w1.history('facts/pricing');
    expect(entries.map(({ value, author, version }) => [value, author, version])).toEqual([
      ['B', 'worker-2', 2],
      ['A', 'worker-1', 1],
    ]);
  });

  it('board 2: a key of no namespace is not written', async () => {
    const error = thrown('NO_NAMESPACE', /matches no declared namespace/);
    await expect(w1.append('random/key', 1)).rejects.toEqual(error);
    await expect(w1.set('random/key', 1)).rejects.toEqual(error);
    expect(await w1.keys()).toEqual([]);
  });

  it("board 3: a worker does not write into another worker's results", async () => {
    await expect(w2.set('results/worker-1/x', 1)).rejects.toEqual(
      thrown('PERMISSION_DENIED', /owned by worker-1/),
    );
    expect(await w1.get('results/worker-1/x')).toBeUndefined();
    ok(await w1.set('results/worker-1/x', 1));
  });

  it('board 4: nobody but the writer writes the plan', async () => {
    const scout = w1.asWorker('scout-1');
    const error = thrown('PERMISSION_DENIED', /written only by orchestrator/);
    await expect(scout.set('plan/current', 1)).rejects.toEqual(error);
  });

  it('board 5: the first version of the plan is 1', async () => {
    expect(ok(await orchestrator.set('plan/current', 'v1'))).toMatchObject({ version: 1, value: 'v1' });
  });

  it('board 10: set on an append-only key is the wrong mode', async () => {
    await expect(w1.set('facts/x', 1)).rejects.toEqual(thrown('WRONG_MODE'));
  });

  it('board 11: append on a single-writer key is the wrong mode, and no conflict', async () => {
    await expect(orchestrator.append('plan/x', 1)).rejects.toEqual(thrown('WRONG_MODE'));
    expect(await orchestrator.keys()).toEqual([]);
  });

  it('asks for the permission before the mode', async () => {
    await expect(w1.append('plan/x', 1)).rejects.toEqual(thrown('PERMISSION_DENIED'));
  });

  it('lets an owner append to its own results', async () => {
    ok(await w1.append('results/worker-1/log', 'a'));
    ok(await w1.append('results/worker-1/log', 'b'));
    expect(await w1.history('results/worker-1/log')).toHaveLength(2);
  });

  it('board 39: only keys of a leased namespace can be claimed', async () => {
    await expect(w1.claim('facts/q')).rejects.toEqual(thrown('WRONG_MODE'));
    await expect(w1.claim('random/q')).rejects.toEqual(thrown('NO_NAMESPACE'));
    expect(await w1.item('facts/q')).toBeUndefined();
  });

  it.each(['facts/a/b', 'facts/', 'results//x', 'results/w/a/b', 'plan/a/b', 'facts', '', '/facts/a'])(
    'board 41: %j belongs to no namespace',
    async (key) => {
      await expect(orchestrator.append(key, 1)).rejects.toEqual(thrown('NO_NAMESPACE'));
    },
  );

  it.each(['a/b', '', '*', 'a b', 'a\nb', '[a]', 'a?', '\u200b'])('board 42: %j is no label', (label) => {
    expect(() => w1.asWorker(label)).toThrow(thrown('INVALID_ARGUMENT'));
  });

  it('asWorker writes under the other label on the same store', async () => {
    const other = w1.asWorker('scout-1');
    expect(other.label).toBe('scout-1');
    expect(ok(await other.append('facts/a', 1)).author).toBe('scout-1');
    expect(await w1.get('facts/a')).toMatchObject({ author: 'scout-1' });
  });

  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each<[string, unknown]>([
    ['a cycle', cyclic],
    ['a BigInt', 1n],
    ['NaN', Number.NaN],
    ['an infinity', [Number.POSITIVE_INFINITY]],
    ['a function', { f() {} }],
    ['undefined', undefined],
    ['a date', new Date(0)],
  ])('board 60: %s is refused, and nothing is stored', async (_, value) => {
    await expect(w1.append('facts/x', value as Json)).rejects.toEqual(thrown('INVALID_ARGUMENT'));
    await expect(orchestrator.set('plan/x', value as Json)).rejects.toEqual(thrown('INVALID_ARGUMENT'));
    const lease = ok(await w1.claim('claims/x'));
    await expect(w1.complete(lease, value as Json)).rejects.toEqual(thrown('INVALID_ARGUMENT'));
    expect(await w1.keys()).toEqual([]);
    expect(codeOf(await w1.complete(lease, null))).toBe('accepted');
  });

  it('keys of the board itself are read by everybody and written by nobody', async () => {
    for (const key of ['notices/orchestrator/persistent-conflict', 'reads/worker-1']) {
      await expect(w1.append(key, 1)).rejects.toEqual(thrown('PERMISSION_DENIED', /written only by/));
      await expect(w1.set(key, 1)).rejects.toEqual(thrown('PERMISSION_DENIED'));
      expect(await w1.get(key)).toBeUndefined();
    }
  });
});
