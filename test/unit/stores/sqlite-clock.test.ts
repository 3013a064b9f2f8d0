/** The store's clock: one offset for each boot, kept in the file, never behind what the file holds. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock.ts';
import { createSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { createFakeClock, type FakeClockOptions, skewed } from '../../support/fake-clock.ts';
import { codeOf, enqueue, ok, worker } from '../../support/world.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-clock-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const open = (clock: Clock) => createSqliteStore({ file: join(folder, 'store.db'), clock });

async function nowOf(clock: Clock): Promise<number> {
  const store = await open(clock);
  const now = store.nowMs();
  store.close();
  return now;
}

const boot = (bootId: string | undefined, options: FakeClockOptions) =>
  createFakeClock({ ...options, bootId });

describe('within one boot', () => {
  it('the first opener sets the offset by its wall clock', async () => {
    expect(await nowOf(boot('b1', { wallMs: 1_700_000_000_000, monotonicMs: 123_456.789 }))).toBe(
      1_700_000_000_000,
    );
  });

  it('every later opener reads that offset, whatever its own wall clock says', async () => {
    const clock = boot('b1', { wallMs: 5000, monotonicMs: 77 });
    const first = await open(clock);
    clock.advance(100);
    const later = await open(skewed(clock, 3_600_000));
    const earlier = await open(skewed(clock, -3_600_000));
    expect([first.nowMs(), later.nowMs(), earlier.nowMs()]).toEqual([5100, 5100, 5100]);
    for (const store of [first, later, earlier]) store.close();
  });

  it('goes on after everybody has closed the file', async () => {
    const clock = boot('b1', { wallMs: 5000, monotonicMs: 77 });
    await nowOf(clock);
    clock.stepWall(-4000);
    clock.advance(50);
    expect(await nowOf(clock)).toBe(5050);
  });

  it('counts whole milliseconds and never goes backwards', async () => {
    let monotonic = 0.9;
    const clock: Clock = { ...boot('b1', {}), monotonicMs: () => monotonic, wallMs: () => 1000.7 };
    const store = await open(clock);
    const seen: number[] = [];
    for (; monotonic < 3; monotonic += 0.25) seen.push(store.nowMs());
    expect(seen).toEqual([1000, 1001, 1001, 1001, 1001, 1002, 1002, 1002, 1002]);
    store.close();
  });
});

describe('after a reboot', () => {
  it('the offset is set anew by the wall clock', async () => {
    await nowOf(boot('b1', { wallMs: 5000, monotonicMs: 900 }));
    expect(await nowOf(boot('b2', { wallMs: 9000, monotonicMs: 3 }))).toBe(9000);
  });

  it.each([
    ['a claim', 0],
    ['a heartbeat', 40],
  ])('with the wall clock set back it starts at the newest instant of the file: %s', async (_what, later) => {
    const clock = boot('b1', { wallMs: 5000 });
    const store = await open(clock);
    await enqueue(store, 'k');
    clock.advance(50);
    const lease = ok(await worker(store, 'w1').claim('k', 1000));
    clock.advance(later);
    if (later > 0) ok(await worker(store, 'w1').heartbeat(lease));
    store.close();
    const after = await open(boot('b2', { wallMs: 1000 }));
    expect(after.nowMs()).toBe(5050 + later);
    expect(codeOf(await worker(after, 'w2').claim('k', 1000))).toBe('held');
    after.close();
  });

  it('the newest instant of an empty file is when it was anchored', async () => {
    await nowOf(boot('b1', { wallMs: 5000 }));
    expect(await nowOf(boot('b2', { wallMs: 10 }))).toBe(5000);
    expect(await nowOf(boot('b3', { wallMs: 4000 }))).toBe(5000);
  });

  it('a lease end or a not-before instant in the future does not pull the clock forward', async () => {
    const store = await open(boot('b1', { wallMs: 5000 }));
    await enqueue(store, 'k', { key: 'later', notBeforeMs: 1e12 });
    ok(await worker(store, 'w1').claim('k', 1e12));
    store.close();
    expect(await nowOf(boot('b2', { wallMs: 6000 }))).toBe(6000);
  });

  it('generations and leases go on', async () => {
    const store = await open(boot('b1', { wallMs: 5000 }));
    await enqueue(store, 'k');
    ok(await worker(store, 'w1').claim('k', 1000));
    store.close();
    const clock = boot('b2', { wallMs: 5999 });
    const after = await open(clock);
    expect(codeOf(await worker(after, 'w2').claim('k', 10))).toBe('held');
    clock.advance(1);
    expect(ok(await worker(after, 'w2').claim('k', 10))).toMatchObject({ generation: 2n, kind: 'reclaimed' });
    after.close();
  });
});

it('without a boot id the wall clock is all there is, and nothing is anchored', async () => {
  const clock = boot(undefined, { wallMs: 5000.5 });
  const store = await open(clock);
  expect(store.nowMs()).toBe(5000);
  clock.stepWall(-1000);
  expect(store.nowMs()).toBe(4000);
  store.close();
  const db = new Database(join(folder, 'store.db'));
  expect(db.prepare('SELECT count(*) FROM clock_anchors').pluck().get()).toBe(0);
  db.close();
});
