/** The memory store as a store module. One process only: with several workers the harness refuses it. */
import type { Declarations, Store, StoreOptions } from '../../store.ts';
import { createMemoryData, type MemoryData } from './data.ts';
import { createMemoryStore } from './store.ts';

export const declares: Declarations = {
  sharedBy: 'process',
  embedded: true,
  items: 'enqueued',
  fencing: 'lock',
  tokens: 'ascending',
  tokenScope: 'item',
  clock: 'store-monotonic',
  grainMs: 1,
  lateCalls: 'refused',
  maxAttempts: true,
  delivery: 'at-least-once',
  order: 'fifo',
  retentionMs: 'forever',
  durability: 'none',
  showsRequest: true,
  batch: 1000,
  definiteErrors: ['STORE_CLOSED', 'INVALID_ARGUMENT'],
};

/** Handles that one process opens under one name see the same items. */
const stores = new Map<string, MemoryData>();

/** Opens a handle on the memory store of that location and namespace. */
export default function open(options: StoreOptions): Store {
  const name = nameOf(options);
  const data = stores.get(name) ?? createMemoryData();
  stores.set(name, data);
  return createMemoryStore({ data });
}

/** Forgets the content. */
export function destroy(options: StoreOptions): void {
  stores.delete(nameOf(options));
}

function nameOf({ location, namespace }: StoreOptions): string {
  return JSON.stringify([location, namespace]);
}
