/**
 * Real processes on one file: case A05 (no lock error under load, nothing given out twice) and spec/board.md B6.27 (after a
 * kill at any instant the next generation is higher than any that was handed out).
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { endChildren, startChild } from '../support/run-child.ts';

const module = new URL('./sqlite-child.mjs', import.meta.url);
let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-load-'));
  file = join(folder, 'store.db');
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

it('4 processes drain 1000 items: each item once, no lock error, counters that agree', async () => {
  const store = await createSqliteStore({ file });
  const keys = Array.from({ length: 1000 }, (_, i) => `item-${String(i).padStart(4, '0')}`);
  await store.work.enqueue(
    keys.map((key) => ({ key, payload: null })),
    { request: 'fill' },
  );
  const children = await Promise.all([1, 2, 3, 4].map(() => startChild(module)));
  const answers = (await Promise.all(
    children.map((child, i) => child.ask({ job: 'drain', file, owner: `w${i}` })),
  )) as { keys: string[] }[];
  expect(answers.flatMap((answer) => answer.keys).sort()).toEqual(keys);
  const items = await store.work.scan({ limit: 2000 });
  expect(items.every((item) => item.state === 'done' && item.generation === 1n)).toBe(true);
  expect(await store.counters()).toMatchObject({ claims: 1000, completes: 1000, reclaims: 0, refusals: 0 });
  store.close();
});

it('generations handed out are never handed out again, over kills at any instant', async () => {
  const store = await createSqliteStore({ file });
  await store.work.enqueue([{ key: 'k', payload: null }], { request: 'fill' });
  const logFile = join(folder, 'generations');
  writeFileSync(logFile, '');
  for (let round = 0; round < 6; round += 1) {
    const child = await startChild(module);
    await child.ask({ job: 'spin', file, key: 'k', owner: 'w1', path: logFile });
    const before = seen(logFile).length;
    while (seen(logFile).length < before + 50) await new Promise((resolve) => setImmediate(resolve));
    await child.kill();
  }
  const generations = seen(logFile);
  expect(generations.every((generation, i) => i === 0 || generation > (generations[i - 1] ?? 0))).toBe(true);
  const next = await store.work.claim('k', { owner: 'w1', leaseMs: 10, request: 'last', reacquire: true });
  expect(next).toMatchObject({ accepted: true });
  if (next.accepted) expect(Number(next.value.generation)).toBeGreaterThan(generations.at(-1) ?? 0);
  store.close();
});

function seen(path: string): readonly number[] {
  return readFileSync(path, 'utf8').split('\n').slice(0, -1).map(Number);
}
