/** The public face of the core: the Store contract and the stores that come with the package. */
export { type Clock, systemClock } from './clock.ts';
export { ERROR_CODES, type ErrorCode, FencepostError } from './errors.ts';
export { createLeaseRules, type LeaseRules, leaseRules } from './lease/rules.ts';
export type * from './store.ts';
export { createMemoryData, type MemoryData } from './stores/memory/data.ts';
export { createMemoryStore, type MemoryStore, type MemoryStoreOptions } from './stores/memory/store.ts';
export type { Durability } from './stores/sqlite/open.ts';
export { createSqliteStore, type SqliteStore, type SqliteStoreOptions } from './stores/sqlite/store.ts';
