/** The workloads of the board over the memory store: what they write, and how they come to an end. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { follow, write } from '../../../harness/workload/feed.ts';
import { log } from '../../../harness/workload/log.ts';
import { register } from '../../../harness/workload/register.ts';
import type { Store } from '../../../src/store.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { laneOf, runUntil, type TestLane } from './lanes.ts';

let store: Store;
let lanes: TestLane[];
const lane = (...args: Parameters<typeof laneOf> extends [Store, ...infer Rest] ? Rest : never): TestLane => {
  const made = laneOf(store, ...args);
  lanes.push(made);
  return made;
};
beforeEach(() => {
  lanes = [];
  store = createMemoryStore();
});
afterEach(async () => {
  for (const one of lanes) one.remove();
  await store.close();
});

const put = (key: string) =>
  store.entries!.commit([{ key, op: 'append', value: 1, author: 'x', request: 'x' }]);
const eventsOf = (test: TestLane): number[] =>
  test.calls().flatMap(({ answer }) => (answer?.events ?? []).map(({ id }) => id));

describe('register', () => {
  it('writes under compare-and-set, and every value is its own', async () => {
    const one = lane('register');
    await runUntil(one, register(one.lane), () => one.calls().length > 400);
    const commits = one.calls().filter(({ op }) => op === 'commit');
    const writes = commits.flatMap((call) => call.writes ?? []);
    expect(writes.filter(({ ifVersion }) => ifVersion !== undefined).length).toBeGreaterThan(100);
    expect(writes.some(({ op }) => op === 'delete')).toBe(true);
    expect(writes.some(({ generation }) => generation !== undefined)).toBe(true);
    expect(commits.some((call) => (call.writes?.length ?? 0) > 1)).toBe(true);
    const guarded = commits.filter((call) => call.require !== undefined);
    expect(guarded.length).toBeGreaterThan(0);
    // A refusal because of `require` must not look like one because of a version that was right.
    expect(guarded.flatMap((call) => call.writes ?? []).some((one) => one.ifVersion !== undefined)).toBe(
      false,
    );
    const values = writes.flatMap(({ value }) => value ?? []);
    expect(new Set(values).size).toBe(values.length);
  });

  it('meets others on few keys', async () => {
    const two = [lane('register', 'w1', 1), lane('register', 'w2', 2)];
    const runs = two.map((one) => register(one.lane));
    const refused = () =>
      two.flatMap((one) => one.calls()).filter(({ answer }) => answer?.code === 'conflict');
    await runUntil(two[0]!, runs[0]!, () => refused().length > 5);
    two[1]!.ending = true;
    await runs[1];
  });

  it('has nothing to do in drain, once the items of its fenced writes are done', async () => {
    await store.work!.enqueue!([{ key: 'work/left', payload: 1 }], { request: 'x' });
    const one = lane('register');
    one.phase = 'drain';
    await runUntil(one, register(one.lane), () => one.foundWork === false);
    expect((await store.work!.scan!({ limit: 10 })).map(({ key, state }) => [key, state])).toEqual([
      ['work/left', 'done'],
    ]);
  });
});

it('log appends to few keys and reads them back', async () => {
  const one = lane('log');
  await runUntil(one, log(one.lane), () => one.calls().length > 100);
  const ops = new Set(one.calls().map(({ op }) => op));
  expect([...ops].sort()).toEqual(['commit', 'get', 'history', 'list']);
  const writes = one.calls().flatMap((call) => call.writes ?? []);
  expect(writes.every(({ op, key }) => op === 'append' && /^facts\/[0-2]$/.test(key))).toBe(true);
  expect(one.calls().every(({ answer }) => answer?.accepted)).toBe(true);
});

describe('a follower', () => {
  it('goes on where the last life of its label stopped', async () => {
    for (let n = 0; n < 100; n++) await put('facts/0');
    const first = lane('follow', 'w1', 1);
    await runUntil(first, follow(first.lane), () => eventsOf(first).length >= 64);
    for (let n = 0; n < 100; n++) await put('facts/1');
    const second = lane('follow', 'w1', 2);
    await runUntil(second, follow(second.lane), () => second.foundWork === false);
    const [a, b] = [eventsOf(first), eventsOf(second)];
    expect(a).toEqual(a.map((_, n) => n + 1));
    // What the first life had read and not yet noted is read again; nothing is left out.
    expect(b[0]).toBeGreaterThan(1);
    expect(b[0]).toBeLessThanOrEqual(a.at(-1)! + 1);
    expect(b).toEqual(b.map((_, n) => b[0]! + n));
    expect(b.length).toBeGreaterThan(100);
  });

  it('does not jump over what it has not read, when a twin came further', async () => {
    for (let n = 0; n < 10; n++) await put('facts/0');
    const [old, twin] = [lane('follow', 'w1', 1), lane('follow', 'w1', 2)];
    const runs = [old, twin].map((one) => follow(one.lane));
    await runUntil(old, runs[0]!, () => eventsOf(old).length >= 10 && eventsOf(twin).length >= 10);
    twin.ending = true;
    await runs[1];
    for (const one of [old, twin]) {
      const seen = eventsOf(one);
      expect(seen).toEqual(seen.map((_, n) => n + 1));
    }
  });

  it('forgets in `feed` what lies behind it, and one that was away is told that it is gone', async () => {
    for (let n = 0; n < 300; n++) await put('facts/0');
    const one = lane('follow', 'w1', 1, ['workload.kind=feed']);
    let now = 0;
    // Every look at the clock is a second later.
    const hasty = { ...one.lane, nowMs: () => (now += 1000) };
    const trims = () => one.calls().filter(({ op }) => op === 'trim');
    await runUntil(one, follow(hasty), () => trims().length > 0 && one.foundWork === false);
    expect(trims().every(({ before = 0 }) => before < 300)).toBe(true);
    const late = lane('follow', 'w2', 2, ['workload.kind=feed']);
    await runUntil(late, follow(late.lane), () => late.foundWork === false);
    const pages = late.calls().filter(({ op }) => op === 'since');
    expect(pages[0]?.answer?.gap).toBe(true);
    expect(pages.slice(1).every(({ answer }) => answer?.gap === undefined)).toBe(true);
  });

  it('forgets nothing in `mixed`', async () => {
    for (let n = 0; n < 300; n++) await put('facts/0');
    const one = lane('follow', 'w1', 1, ['workload.kind=mixed']);
    let now = 0;
    const hasty = { ...one.lane, nowMs: () => (now += 1000) };
    await runUntil(one, follow(hasty), () => one.foundWork === false);
    expect(one.calls().some(({ op }) => op === 'trim')).toBe(false);
  });

  it('comes to rest when nobody writes, however many follow', async () => {
    await put('facts/0');
    const many = ['w1', 'w2', 'w3'].map((label, n) => lane('follow', label, n + 1));
    const runs = many.map((one) => follow(one.lane));
    const at = async () => (await store.feed!.since(0, 1000)).events.length;
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    const before = await at();
    for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(await at()).toBe(before);
    expect(many.map(({ foundWork }) => foundWork)).toEqual([false, false, false]);
    for (const one of many) one.ending = true;
    await Promise.all(runs);
  });
});

it('a writer of the feed writes both kinds', async () => {
  const one = lane('write');
  await runUntil(one, write(one.lane), () => one.calls().length > 600);
  const keys = one.calls().flatMap((call) => (call.writes ?? []).map(({ key }) => key.split('/')[0]));
  expect(new Set(keys)).toEqual(new Set(['register', 'facts', 'work', 'results']));
});
