/** The SQLite store as a store module: one file `<location>/<namespace>.db`, shared by the processes of one host. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import type { Declarations, Store, StoreHold, StoreOptions } from '../../store.ts';
import { holdWriteLock } from './hog.ts';
import { createSqliteStore } from './store.ts';

export const declares: Declarations = {
  sharedBy: 'host',
  embedded: true,
  pausePoints: true,
  items: 'enqueued',
  fencing: 'lock',
  tokens: 'ascending',
  tokenScope: 'item',
  clock: systemClock.bootId === undefined ? 'store-wall' : 'store-monotonic',
  grainMs: 1,
  lateCalls: 'refused',
  maxAttempts: true,
  delivery: 'at-least-once',
  order: 'fifo',
  retentionMs: 'forever',
  durability: 'process-crash',
  showsRequest: true,
  batch: 1000,
  definiteErrors: ['STORE_BUSY', 'STORE_CLOSED', 'INVALID_ARGUMENT'],
};

/** The file of a location and a namespace. */
export function fileOf({ location, namespace }: StoreOptions): string {
  return join(location, `${namespace}.db`);
}

/** Makes the folder. */
export function prepare(options: StoreOptions): void {
  mkdirSync(options.location, { recursive: true });
}

/** Opens a connection; makes the file when it is not there. */
export default function open(options: StoreOptions): Promise<Store> {
  prepare(options);
  const { pausePoint } = options;
  return createSqliteStore({ file: fileOf(options), pausePoint });
}

/** Takes the write lock of the file, which must be there. */
export const hog = (options: StoreOptions): StoreHold => holdWriteLock(fileOf(options));

/** Removes the file and what SQLite keeps beside it. */
export function destroy(options: StoreOptions): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(fileOf(options) + suffix, { force: true });
}
