/** The built-in stores as store modules: the very door that a user's store comes through. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import type { StoreModule } from '../../../src/store.ts';
import * as memory from '../../../src/stores/memory/module.ts';
import * as sqlite from '../../../src/stores/sqlite/module.ts';
import { codeOf, enqueue, type Handle, itemOf, ok, worker } from '../../support/world.ts';

let location: string;
beforeEach(() => {
  location = mkdtempSync(join(tmpdir(), 'fencepost-module-'));
});
afterEach(() => rmSync(location, { recursive: true, force: true }));

describe.each([
  ['memory', memory],
  ['sqlite', sqlite],
] as const)('the %s module', (_name, module: StoreModule) => {
  const open = async (namespace = 'run') => (await module.default({ namespace, location })) as Handle;

  it('declares what the schema of declarations accepts', () => {
    expect(declaresSchema.parse(module.declares)).toMatchObject({
      fencing: 'lock',
      showsRequest: true,
      batch: 1000,
    });
  });

  it('gives every opener of a namespace the same items, and no other namespace', async () => {
    await module.prepare?.({ namespace: 'run', location });
    const [a, b, other] = [await open(), await open(), await open('other')];
    await enqueue(a, 'k');
    ok(await worker(a, 'w1').claim('k', 60_000));
    expect(codeOf(await worker(b, 'w2').claim('k', 60_000))).toBe('held');
    expect(await itemOf(other, 'k')).toBeUndefined();
    for (const store of [a, b, other]) await store.close();
  });

  it('keeps everything when all have closed, until it is destroyed', async () => {
    const first = await open();
    await enqueue(first, 'k');
    await first.close();
    const second = await open();
    expect(await itemOf(second, 'k')).toMatchObject({ state: 'open' });
    await second.close();
    await module.destroy?.({ namespace: 'run', location });
    expect(readdirSync(location)).toEqual([]);
    const third = await open();
    expect(await itemOf(third, 'k')).toBeUndefined();
    await third.close();
    await module.destroy?.({ namespace: 'run', location });
  });

  it('honours a batch as large as it declares', async () => {
    const store = await open();
    await enqueue(store, ...Array.from({ length: 1001 }, (_, i) => `k${i}`));
    expect(ok(await worker(store, 'w1').claimNext('', 60_000, 1000))).toHaveLength(1000);
    await store.close();
  });
});

it('the sqlite module makes its folder', async () => {
  const deep = join(location, 'a', 'b');
  const store = await sqlite.default({ namespace: 'run', location: deep });
  await store.close();
  expect(existsSync(join(deep, 'run.db'))).toBe(true);
});
