/** Rows as the contract shows them. Pure. */
import { decodeJson } from '../lease/json.ts';
import type { Entry, Event } from '../store.ts';
import type { EventRow } from './backend.ts';
import type { EntryRow } from './row.ts';

export function entryOf(row: EntryRow): Entry {
  return {
    key: row.key,
    version: row.version,
    value: row.value === null ? null : decodeJson(row.value),
    author: row.author,
    ...(row.generation === null ? {} : { generation: BigInt(row.generation) }),
    createdAtMs: row.createdAtMs,
    request: row.request,
    ...(row.value === null ? { deleted: true } : {}),
  };
}

export function eventOf(row: EventRow): Event {
  return {
    id: row.id,
    atMs: row.atMs,
    kind: row.kind,
    key: row.key,
    author: row.author,
    ...(row.version === null ? {} : { version: row.version }),
    ...(row.generation === null ? {} : { generation: BigInt(row.generation) }),
  };
}
