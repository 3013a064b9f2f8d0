/**
 * The crash windows of background jobs, each by a real SIGKILL at that point: spec/jobs.md D4-24, checks 22-26. What is seen is the
 * table of docs/jobs.md.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { createJobManager } from '../../src/jobs/manager.ts';
import { createOutboundQueue } from '../../src/jobs/outbound/queue.ts';
import type { JobStore } from '../../src/jobs/store.ts';
import { createSqliteOutboundStore } from '../../src/stores/sqlite/jobs/outbound.ts';
import { createSqliteJobStore } from '../../src/stores/sqlite/jobs/store.ts';
import { endChildren, startChild } from '../support/run-child.ts';

/** The table of the page, as objects. */
const PAGE = readFileSync('docs/jobs.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| .* \| \d \| .* \|$/.test(line))
  .map((line) => line.split('|').slice(1, -1))
  .map((cells) => cells.map((cell) => cell.trim()));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-jobs-'));
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});
const seen: string[][] = [];
afterAll(() => {
  const table = seen.map((cells) => `  ${cells.join(' | ')}`).join('\n');
  process.stdout.write(`killed by SIGKILL | stored | function ran | told before | next boots\n${table}\n`);
});

const lines = (log: string): string[] => {
  try {
    return readFileSync(log, 'utf8').split('\n').slice(0, -1);
  } catch {
    return [];
  }
};
const times = (log: string, word: string): number => lines(log).filter((line) => line === word).length;

/** Sends a message to a process that dies of it. */
async function killedBy(message: object): Promise<void> {
  const child = await startChild(new URL('./jobs-child.mjs', import.meta.url));
  const exit = once(child.process, 'exit');
  child.send(message);
  expect(await exit).toEqual([null, 'SIGKILL']);
  await child.kill();
}

/** What one boot does with the file: counts, and whom it told. */
async function boot(store: JobStore): Promise<string> {
  const told: string[] = [];
  const jobs = createJobManager({ store });
  const { lost, redelivered } = await jobs.reconcileOnStart((job) => told.push(job.error ?? job.status));
  await jobs.shutdown();
  const did = [...(lost > 0 ? ['lost'] : []), ...(redelivered > 0 ? [`told (${told.join(', ')})`] : [])];
  return did.join(' ') || 'nothing';
}

it('the page has a row for each window', () => {
  expect(PAGE).toHaveLength(9);
});

it.each(PAGE)('jobs 22 to 26: killed when %s', async (window = '', ...expected) => {
  const file = join(folder, 'jobs.db');
  const log = join(folder, 'log');
  await killedBy({ verb: 'crash', file, log, window });

  const store = createSqliteJobStore({ file });
  try {
    const stored = (await store.get('job'))?.status ?? 'no trace';
    const before = times(log, 'told');
    const boots = [await boot(store), await boot(store)];
    const row = [stored, String(times(log, 'ran')), String(before), boots.join(', then ')];
    seen.push([window, ...row]);
    expect(row).toEqual(expected);
    // Work is never run again by itself, and nobody is told by a process that is no more.
    expect([times(log, 'ran'), times(log, 'told')]).toEqual([Number(expected[1]), before]);
  } finally {
    await store.close();
  }
});

it('an outbound queue whose process is killed while it sends: nothing is lost, and what may arrive twice says so', async () => {
  const file = join(folder, 'jobs.db');
  const log = join(folder, 'log');
  await killedBy({ verb: 'outbound', file, log });
  const store = createSqliteOutboundStore({ file });
  const got: string[] = [];
  try {
    const queue = createOutboundQueue({
      store,
      send: ({ key, possibleDuplicate }) => got.push(possibleDuplicate ? `${key} again?` : key),
    });
    expect(await queue.drain()).toEqual({ recovered: 1, confirmed: 0, sent: 2, failed: 0 });
    expect([lines(log), got]).toEqual([
      ['first', 'second'],
      ['second again?', 'third'],
    ]);
    await queue.close();
  } finally {
    await store.close();
  }
});
