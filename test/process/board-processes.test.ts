/** A board under real processes and real kills: spec/board.md checks 27, 36, 37, 56, 57. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBoard } from '../../src/board/board.ts';
import type { Board } from '../../src/board/types.ts';
import type { Event, Item } from '../../src/store.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { type Child, endChildren, startChild } from '../support/run-child.ts';
import { ok } from '../support/world.ts';

/** Time for a message to reach every child before all of them go. */
const LEAD_NS = 20_000_000n;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-board-'));
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

const start = (): Promise<Child> => startChild(new URL('./board-child.mjs', import.meta.url));
const startAll = (count: number) => Promise.all(Array.from({ length: count }, start));
const path = (name: string) => join(folder, name);

/** Looks at a file that workers have left. */
async function look<T>(file: string, body: (board: Board) => Promise<T>): Promise<T> {
  const store = await createSqliteStore({ file, items: 'on-demand' });
  try {
    return await body(createBoard({ store, label: 'observer' }));
  } finally {
    await store.close();
  }
}

async function everyEvent(board: Board): Promise<Event[]> {
  const events: Event[] = [];
  for (let cursor = 0; ; ) {
    const page = await board.since(cursor);
    events.push(...page.events);
    cursor = page.cursor;
    if (page.events.length < 1000) return events;
  }
}

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

it('board 56: 6 processes open 30 fresh files at once, and none fails with a lock error', async () => {
  const children = await startAll(6);
  for (let round = 0; round < 30; round += 1) {
    const file = path(`round-${round}.db`);
    const atNs = String(process.hrtime.bigint() + LEAD_NS);
    const answers = await Promise.all(
      children.map((child, i) => child.ask({ job: 'open', file, atNs, label: `w${i}` })),
    );
    expect(answers).toEqual(children.map(() => ({ done: true })));
    const opened = await look(file, (board) => board.history('facts/opened'));
    expect(opened.map(({ author }) => author).sort()).toEqual(children.map((_, i) => `w${i}`));
  }
});

it('board 57: two processes read and write for 3 s, and neither is refused a lock', async () => {
  const file = path('board.db');
  const children = await startAll(2);
  const answers = await Promise.all(
    children.map((child, i) => child.ask({ job: 'readThenWrite', file, label: `w${i}`, forMs: 3000 })),
  );
  const written = answers as { writes: number; longestMs: number }[];
  for (const { writes, longestMs } of written) {
    expect(writes).toBeGreaterThan(10);
    expect(longestMs).toBeLessThan(5000);
  }
  await look(file, async (board) => {
    for (const [i, { writes }] of written.entries()) {
      expect(await board.get(`results/w${i}/n`)).toMatchObject({ value: writes, version: writes });
    }
    const total = written.reduce((sum, { writes }) => sum + writes, 0);
    expect((await board.get('facts/log'))?.version).toBe(total);
  });
});

it('board 27: after kill -9 at any instant the next generation is higher than any handed out', async () => {
  const file = path('board.db');
  const key = 'claims/item';
  let highest = 0n;
  for (let round = 0; round < 10; round += 1) {
    const child = await start();
    const log = path(`generations-${round}`);
    await child.ask({ job: 'spin', file, key, label: 'w1', path: log });
    await sleep(20 + ((round * 37) % 90));
    await child.kill();
    for (const line of linesOf(log)) {
      expect(BigInt(line)).toBeGreaterThan(highest);
      highest = BigInt(line);
    }
    await look(file, async (board) => {
      // The dead worker's lease runs out within a millisecond.
      await sleep(2);
      const { generation = 0n } = ok(await board.claim(key, { leaseMs: 1 }));
      expect(generation).toBeGreaterThan(highest);
      highest = generation;
    });
  }
  expect(highest).toBeGreaterThan(20n);
});

it('board 36, board 37: workers are killed all the time; no item is completed twice, no accepted result is missing, and no complete is half there', async () => {
  const file = path('board.db');
  const logs: string[] = [];
  const hire = async (): Promise<Child> => {
    const log = path(`results-${logs.length}`);
    logs.push(log);
    const child = await start();
    await child.ask({ job: 'work', file, label: `w${logs.length}`, path: log, leaseMs: 30 });
    return child;
  };
  const crew = await Promise.all([hire(), hire(), hire(), hire()]);
  // A run in which no lease ran out would show little: it goes on until enough of them did.
  await look(file, async (board) => {
    const reclaims = async () => (await everyEvent(board)).filter(({ kind }) => kind === 'reclaimed').length;
    for (let round = 0; round < 10 || (await reclaims()) < 10; round += 1) {
      await sleep(100 + ((round * 53) % 120));
      const seat = round % crew.length;
      await crew[seat]?.kill();
      crew[seat] = await hire();
    }
  });
  await endChildren();

  const { done, events } = await look(file, async (board) => {
    const all = await everyEvent(board);
    const keys = [...new Set(all.map(({ key }) => key))].filter((key) => key.startsWith('claims/'));
    const items = await Promise.all(keys.map((key) => board.item(key)));
    return { done: items.filter((item): item is Item => item?.state === 'done'), events: all };
  });
  // 36: the result and the end of the lease are one step, so every finished item has its result and exactly one event.
  const completed = events.filter(({ kind }) => kind === 'completed').map(({ key }) => key);
  expect(completed.sort()).toEqual(done.map(({ key }) => key).sort());
  for (const { result, owner, generation } of done) {
    expect(result).toEqual({ by: owner, generation: Number(generation) });
  }
  // 37: what a worker was told to be accepted is there, once.
  const stored = new Map(done.map(({ key, result }) => [key, result]));
  const acknowledged = logs
    .flatMap(linesOf)
    .map((line) => JSON.parse(line) as { key: string; result: unknown });
  for (const { key, result } of acknowledged) expect(stored.get(key)).toEqual(result);
  expect(new Set(acknowledged.map(({ key }) => key)).size).toBe(acknowledged.length);
  expect(acknowledged.length).toBeGreaterThan(20);
});
