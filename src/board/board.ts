/**
 * The board: a blackboard for workers that do not trust one another's timing. Namespaces with rules of their own, versions
 * under compare-and-set, work items under leases, a feed and bounded views, on any store of the contract.
 */
import { randomUUID } from 'node:crypto';
import type { Entry } from '../store.ts';
import { type BoardConfigInput, parseBoardConfig } from './config.ts';
import { entriesOf } from './facets.ts';
import { leaseDurations } from './lease-duration.ts';
import * as leases from './leases.ts';
import { readNamespaces } from './namespaces.ts';
import { findItem } from './pages.ts';
import * as read from './read.ts';
import { NO_RECORD, recordReads } from './read-record.ts';
import type { Scope } from './scope.ts';
import type { Board, BoardOptions } from './types.ts';
import { update } from './update.ts';
import { checkLabel } from './validate.ts';
import { viewFor } from './view/view.ts';
import { append, set } from './write.ts';

/**
 * Makes a board over a store.
 *
 * @throws FencepostError `BOARD_CONFIG`, `INVALID_ARGUMENT`
 * @example
 * const store = await createSqliteStore({ file: 'board.db', items: 'on-demand' });
 * const board = createBoard({ store, leaseMs: { 'claims/*': 30_000 } }).asWorker('scout-1');
 * await board.append('facts/pricing', { plan: 'team', usd: 12 });
 */
export function createBoard(options: BoardOptions): Board {
  const { store, label = 'anonymous', recordReads: records = false, requestId = randomUUID } = options;
  const config = parseBoardConfig(configOf(options));
  const shared = {
    store,
    namespaces: readNamespaces(config.namespaces),
    leaseDuration: leaseDurations(config.leaseMs),
    orchestrator: config.orchestrator,
    request: requestId,
  };
  return boardFor({ ...shared, label: checkLabel('label', label) }, records);
}

/** The part of the options that a file may hold too. */
function configOf({ namespaces, leaseMs, orchestrator }: BoardOptions): BoardConfigInput {
  return {
    ...(namespaces === undefined ? {} : { namespaces }),
    ...(leaseMs === undefined ? {} : { leaseMs }),
    ...(orchestrator === undefined ? {} : { orchestrator }),
  };
}

function boardFor(scope: Scope, records: boolean): Board {
  const { store, label, namespaces } = scope;
  const reads = records ? recordReads(scope) : NO_RECORD;

  function counted<Found extends readonly (Entry | undefined)[]>(found: Found): Found {
    reads.count({ entries: found.filter((entry) => entry !== undefined && entry.author !== label).length });
    return found;
  }

  return {
    label,
    asWorker: (other) => boardFor({ ...scope, label: checkLabel('label', other) }, records),
    async get(key) {
      const [entry] = counted([await entriesOf(store).get(key)]);
      return entry;
    },
    append: async (key, value, options = {}) => append(scope, key, value, options),
    set: async (key, value, options = {}) => set(scope, key, value, options),
    update: (key, change, options = {}) => update(scope, key, change, options),
    history: async (key, page = {}) => counted(await read.history(scope, key, page)),
    keys: (pattern) => read.keys(scope, pattern),
    since: (cursor, limit) => read.since(scope, cursor, limit),
    claim: (key, options = {}) => leases.claim(scope, key, options.leaseMs),
    heartbeat: (lease, options = {}) => leases.heartbeat(scope, lease, options.extendMs),
    release: (lease) => leases.release(scope, lease),
    complete: (lease, result) => leases.complete(scope, lease, result),
    forceRelease: (key) => leases.forceRelease(scope, key),
    item: (key) => findItem(store, key),
    reclaimable: (nowMs) => leases.reclaimable(scope, nowMs),
    expired: (lease, nowMs) => leases.expired(scope, lease, nowMs),
    async view(options) {
      const { text, shown } = await viewFor({ store, keepsAll: namespaces.keepsAll }, label, options);
      reads.count({ views: 1, entries: shown });
      await reads.flush();
      return text;
    },
    close: () => reads.flush(),
  };
}
