/** Rows as the contract shows them. Pure. */
import type { Item, Lease } from '../store.ts';
import type { Granted } from './change.ts';
import { tokenOf } from './fence.ts';
import { decodeJson } from './json.ts';
import type { ItemRow } from './row.ts';

/** The lease that a grant hands out. */
export function leaseOf(row: ItemRow, grant: Granted): Lease {
  const lease = {
    key: row.key,
    owner: grant.owner,
    token: tokenOf(grant.generation),
    generation: BigInt(grant.generation),
    attempt: grant.attempts,
    acquiredAtMs: grant.acquiredAtMs,
    expiresAtMs: grant.expiresAtMs,
    leaseMs: grant.leaseMs,
    kind: grant.grant,
  };
  return row.payload === null ? lease : { ...lease, payload: decodeJson(row.payload) };
}

/** The item that a scan shows. `owner` is the holder, on finished and dead items the last one. */
export function itemOf(row: ItemRow): Item {
  return {
    key: row.key,
    state: row.state,
    generation: BigInt(row.generation),
    attempts: row.attempts,
    ...(row.owner === null ? {} : { owner: row.owner }),
    ...(row.expiresAtMs === null ? {} : { expiresAtMs: row.expiresAtMs }),
    ...(row.result === null ? {} : { result: decodeJson(row.result) }),
    ...(row.completedBy === null ? {} : { completedBy: row.completedBy }),
    ...(row.enqueuedBy === null ? {} : { enqueuedBy: row.enqueuedBy }),
  };
}
