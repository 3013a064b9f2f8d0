/** Each broken store of entries or events is broken in the way it says; and its kind is caught from the least history that shows it. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { skippingRules } from '../../../scenarios/mutants/m29-version-check-skipped.ts';
import { decorate as commitSlowly } from '../../../scenarios/mutants/m30-sequence-outside.ts';
import { readingBehind } from '../../../scenarios/mutants/m39-stale-replica.ts';
import { reusing } from '../../../scenarios/mutants/m47-event-id-reused.ts';
import { MUTANTS, mutantUrl } from '../../../scenarios/mutants/registry.ts';
import type { Outcome, Store, StoreModule, WorkStore, Write } from '../../../src/store.ts';
import { createMemoryStore } from '../../../src/stores/memory/store.ts';
import { createSqliteStore, type SqliteStoreOptions } from '../../../src/stores/sqlite/store.ts';
import { createFakeClock } from '../../support/fake-clock.ts';

const opened: Store[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'fencepost-mutant-'));
  folders.push(made);
  return made;
}

async function open(id: string): Promise<Store> {
  const module: StoreModule = await import(mutantUrl(MUTANTS.find((mutant) => mutant.id === id)!));
  const store = await module.default({ namespace: 'test', location: folder() });
  opened.push(store);
  return store;
}

async function sqlite(options: Omit<SqliteStoreOptions, 'file'>): Promise<Store> {
  const store = await createSqliteStore({ file: join(folder(), 'store.db'), ...options });
  opened.push(store);
  return store;
}

let requests = 0;
type Few = Pick<Write, 'op'> & Partial<Write>;
/** The version that a write made, or why it was refused. */
async function write(store: Store, few: Few): Promise<number | string> {
  requests += 1;
  const value = few.op === 'delete' ? {} : { value: requests };
  const outcome: Outcome<readonly { version: number }[]> = await store.entries!.commit([
    { key: 'k', author: 'w1', request: `r${requests}`, ...value, ...few },
  ]);
  return outcome.accepted ? outcome.value[0]!.version : outcome.refusal.code;
}

describe('broken stores of entries', () => {
  it('M28: a write from an old version is accepted', async () => {
    const store = await open('M28');
    await write(store, { op: 'set', ifVersion: 0 });
    expect(await write(store, { op: 'set', ifVersion: 1 })).toBe(2);
    expect(await write(store, { op: 'set', ifVersion: 1 })).toBe(3);
  });

  it('M29: one check in so many lets an old version pass', async () => {
    const store = await sqlite({ entryRules: skippingRules(3) });
    expect(await write(store, { op: 'set', ifVersion: 0 })).toBe(1);
    expect(await write(store, { op: 'set', ifVersion: 0 })).toBe('conflict');
    expect(await write(store, { op: 'set', ifVersion: 0 })).toBe(2);
    expect(await write(store, { op: 'set', ifVersion: 0 })).toBe('conflict');
  });

  it('M39: a key is answered from a copy until that is old enough', async () => {
    let nowMs = 0;
    const store = await sqlite({ engine: readingBehind(40, () => nowMs) });
    await write(store, { op: 'set' });
    expect(await store.entries!.get('k')).toMatchObject({ version: 1 });
    await write(store, { op: 'set' });
    nowMs = 39;
    expect(await store.entries!.get('k')).toMatchObject({ version: 1 });
    nowMs = 40;
    expect(await store.entries!.get('k')).toMatchObject({ version: 2 });
  });

  it('M46: versions begin anew after a delete, and go on from there', async () => {
    const store = await open('M46');
    expect(await write(store, { op: 'set' })).toBe(1);
    expect(await write(store, { op: 'set' })).toBe(2);
    expect(await write(store, { op: 'delete' })).toBe(3);
    const again = [];
    for (let i = 0; i < 5; i++) again.push(await write(store, { op: 'set' }));
    expect(again).toEqual([1, 2, 3, 4, 5]);
    expect(await store.entries!.get('k')).toMatchObject({ version: 5 });
  });
});

describe('broken fences', () => {
  it('M55: a write under a lease that is over is accepted', async () => {
    const store = await open('M55');
    const { work } = store as { work: Required<WorkStore> };
    await work.enqueue([{ key: 'item', payload: null }], { request: 'e' });
    const claimed = await work.claim('item', { owner: 'w1', leaseMs: 60_000, request: 'c' });
    if (!claimed.accepted) throw new Error('the claim was refused');
    const fence = claimed.value;
    await work.release(fence, { request: 'r' });
    expect(await write(store, { op: 'set', fence })).toBe(1);
    const sound = await sqlite({});
    await sound.work!.enqueue!([{ key: 'item', payload: null }], { request: 'e' });
    expect(await write(sound, { op: 'set', fence })).toBe('stale');
  });
});

describe('broken feeds', () => {
  const idsOf = async (store: Store, cursor = 0) =>
    (await store.feed!.since(cursor, 100)).events.map(({ id }) => id);

  it('M30: an event of a slow committer comes late, with a lower id than those before it', async () => {
    const clock = createFakeClock();
    const store = commitSlowly(createMemoryStore({ clock }));
    for (let i = 0; i < 22; i++) await write(store, { op: 'append' });
    const page = await store.feed!.since(18, 100);
    expect(page).toMatchObject({ events: [{ id: 19 }, { id: 21 }, { id: 22 }], cursor: 22 });
    expect(await store.feed!.since(19, 1)).toMatchObject({ events: [], cursor: 19 });
    clock.advance(40);
    expect(await idsOf(store, 18)).toEqual([19, 20, 21, 22]);
  });

  it('M47: the id of the newest event is given out again', async () => {
    const store = await sqlite({ statements: reusing(3) });
    await write(store, { op: 'append' });
    await write(store, { op: 'append' });
    expect(await store.feed!.since(0, 10)).toMatchObject({ events: [{ version: 1 }, { id: 2, version: 2 }] });
    await write(store, { op: 'append' });
    expect(await store.feed!.since(0, 10)).toMatchObject({ events: [{ version: 1 }, { id: 2, version: 3 }] });
    expect(await idsOf(store, 2)).toEqual([]);
  });

  it('M54: what was trimmed is gone without a word', async () => {
    const store = await open('M54');
    for (let i = 0; i < 5; i++) await write(store, { op: 'append' });
    await store.feed!.trim!(4);
    const page = await store.feed!.since(1, 1);
    expect(page).toMatchObject({ events: [{ id: 4 }], cursor: 4, oldestId: 4 });
    expect(page).not.toHaveProperty('gap');
  });

  it('a store without a feed is left as it is', () => {
    const { feed: _, ...store } = createMemoryStore({ clock: createFakeClock() });
    expect(commitSlowly(store)).toBe(store);
  });
});
