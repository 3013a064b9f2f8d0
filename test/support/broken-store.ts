/** Opens stores that are broken on purpose, on a fake clock, and takes them away again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Replaced } from '../../scenarios/mutants/module.ts';
import type { Store } from '../../src/store.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { createFakeClock } from './fake-clock.ts';
import { enqueue, type Handle, ok, worker } from './world.ts';

export const KEY = 'claims/item-1';

/** Stores of one test file. */
export function brokenStores() {
  const opened: Store[] = [];
  const folders: string[] = [];

  /** A file of its own, with as many handles as are asked for. */
  function file(clock = createFakeClock()) {
    const folder = mkdtempSync(join(tmpdir(), 'fencepost-mutant-'));
    folders.push(folder);
    return {
      clock,
      async open(replaced: Replaced = {}, wrap: (store: Store) => Store = (store) => store): Promise<Handle> {
        const store = wrap(await createSqliteStore({ file: join(folder, 'store.db'), clock, ...replaced }));
        opened.push(store);
        return store as Handle;
      },
    };
  }

  return {
    file,
    /** A store with one item leased to w1 for 100 ms, generation 1, at instant 0. */
    async leased(replaced: Replaced = {}, wrap?: (store: Store) => Store, maxAttempts?: number) {
      const { clock, open } = file();
      const store = await open(replaced, wrap);
      await enqueue(store, maxAttempts === undefined ? KEY : { key: KEY, maxAttempts });
      const w1 = worker(store, 'w1');
      const lease = ok(await w1.claim(KEY, 100));
      return { clock, open, store, lease, w1, w2: worker(store, 'w2'), w3: worker(store, 'w3') };
    },
    async end(): Promise<void> {
      for (const store of opened.splice(0)) await store.close();
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A wait that a test ends: what a mutant lets pass between two of its steps. */
export function gate() {
  let open: () => void = () => {};
  let reached: () => void = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return {
    wait: (): Promise<void> => {
      reached();
      return passed;
    },
    /** Resolves once somebody waits. */
    arrived,
    open,
  };
}
