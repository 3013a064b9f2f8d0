/**
 * Real processes that write entries of one file: spec/board.md B6.6 and B6.57 and case A05 (no lost update, no lock error
 * on hot keys), A21 (followers miss nothing), and after kills at any instant both halves of a commit or neither.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Entry, Event } from '../../src/store.ts';
import { createSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { endChildren, startChild } from '../support/run-child.ts';

const module = new URL('./sqlite-child.mjs', import.meta.url);
const OWNERS = ['w0', 'w1', 'w2', 'w3'];
const KEYS = ['hot/0', 'hot/1'];
const TIMES = 250;

let folder: string;
let file: string;
let store: SqliteStore;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-entries-'));
  file = join(folder, 'store.db');
  store = await createSqliteStore({ file });
});
afterEach(async () => {
  await endChildren();
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const turn = () => new Promise((resolve) => setImmediate(resolve));
const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

/** All versions of a key, oldest first. */
async function versionsOf(key: string): Promise<readonly Entry[]> {
  return [...(await store.entries.history(key, { limit: 1e6 }))].reverse();
}

/** Polls in pages of 50 until told to stop and nothing is left. */
async function follow(until: () => boolean): Promise<readonly Event[]> {
  const events: Event[] = [];
  let cursor = 0;
  for (;;) {
    const last = until();
    const page = await store.feed.since(cursor, 50);
    expect(page).not.toHaveProperty('gap');
    events.push(...page.events);
    cursor = page.cursor;
    if (last && page.events.length === 0) return events;
    await turn();
  }
}

it(`4 processes add to ${KEYS.length} hot keys by compare-and-set: versions without gaps, no update lost, no lock error`, async () => {
  const children = await Promise.all(OWNERS.map(() => startChild(module)));
  let running = true;
  const jobs = Promise.all(
    children.map((child, i) => child.ask({ job: 'bump', file, keys: KEYS, owner: OWNERS[i], times: TIMES })),
  ).finally(() => {
    running = false;
  });
  const [answers, events] = await Promise.all([
    jobs as Promise<{ conflicts: number; longestMs: number }[]>,
    follow(() => !running),
  ]);

  const total = OWNERS.length * TIMES;
  for (const key of KEYS) {
    const entries = await versionsOf(key);
    expect(entries.map((entry) => entry.version)).toEqual(upTo(total / KEYS.length));
    // Each value is one more than that of the version before: everybody saw what was overwritten.
    expect(entries.map((entry) => entry.value)).toEqual(upTo(total / KEYS.length));
  }
  // A refused commit left nothing in the log that it would have written first.
  for (const owner of OWNERS) expect(await versionsOf(`log/${owner}`)).toHaveLength(TIMES);
  const conflicts = answers.reduce((sum, answer) => sum + answer.conflicts, 0);
  expect(await store.counters()).toMatchObject({
    sets: total,
    appends: total,
    conflicts,
    refusals: conflicts,
  });
  expect(Math.max(...answers.map((answer) => answer.longestMs))).toBeLessThan(5000);

  expect(events.map((event) => event.id)).toEqual(upTo(2 * total));
  for (const key of KEYS) {
    const versions = events.filter((event) => event.key === key).map((event) => event.version);
    expect(versions).toEqual(upTo(total / KEYS.length));
  }
});

it('kills at any instant: what was answered is there, and a commit is there whole or not at all', async () => {
  const logFile = join(folder, 'versions');
  writeFileSync(logFile, '');
  const answered = () => readFileSync(logFile, 'utf8').split('\n').slice(0, -1).map(Number);
  for (let round = 0; round < 6; round += 1) {
    const child = await startChild(module);
    await child.ask({ job: 'append', file, owner: 'w1', path: logFile });
    const before = answered().length;
    while (answered().length < before + 50) await turn();
    await child.kill();
  }
  const all = await versionsOf('log/all');
  const own = await versionsOf('log/w1');
  expect(all.map((entry) => entry.version)).toEqual(upTo(all.length));
  expect(own.map(({ request, version }) => [request, version])).toEqual(
    all.map(({ request, version }) => [request, version]),
  );
  const versions = answered();
  expect(versions.every((version, i) => i === 0 || version > (versions[i - 1] ?? 0))).toBe(true);
  expect(all.length).toBeGreaterThanOrEqual(versions.at(-1) ?? 0);
  const events = await follow(() => true);
  expect(events.map((event) => event.id)).toEqual(upTo(2 * all.length));
});
