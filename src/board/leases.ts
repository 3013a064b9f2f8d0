/** Leases: the board says who may claim what and for how long; the store decides. */
import type { Json, Lease, Outcome } from '../store.ts';
import { workOf } from './facets.ts';
import { allItems } from './pages.ts';
import { authorize } from './permission.ts';
import type { Scope } from './scope.ts';
import { checkDuration, checkInstant } from './validate.ts';
import { asHolder } from './write.ts';

/** Leases an item; the holder itself gets a new generation. */
export async function claim(scope: Scope, key: string, askedMs: number | undefined): Promise<Outcome<Lease>> {
  authorize(scope.namespaces, 'claim', key, scope.label);
  const leaseMs = scope.leaseDuration(key, askedMs);
  const { label: owner } = scope;
  return workOf(scope.store, 'claim')(key, { owner, leaseMs, request: scope.request(), reacquire: true });
}

/** Extends a lease. */
export async function heartbeat(
  scope: Scope,
  lease: Lease,
  extendMs: number | undefined,
): Promise<Outcome<Lease>> {
  const extend = extendMs === undefined ? {} : { extendMs: checkDuration('extendMs', extendMs) };
  return workOf(scope.store, 'heartbeat')(asHolder(scope, lease), { request: scope.request(), ...extend });
}

/** Hands the item back. */
export async function release(scope: Scope, lease: Lease): Promise<Outcome<void>> {
  return workOf(scope.store, 'release')(asHolder(scope, lease), { request: scope.request() });
}

/** Result and end of the lease in one step. */
export async function complete(scope: Scope, lease: Lease, result: Json): Promise<Outcome<void>> {
  return workOf(scope.store, 'complete')(asHolder(scope, lease), { request: scope.request(), result });
}

/** The operator's unstick. */
export async function forceRelease(scope: Scope, key: string): Promise<Outcome<void>> {
  return workOf(scope.store, 'forceRelease')(key, { request: scope.request(), by: scope.label });
}

/** Keys whose lease ran out and that nobody took yet, in key order. */
export async function reclaimable(scope: Scope, nowMs: number | undefined): Promise<readonly string[]> {
  const now = await instant(scope, nowMs);
  const lapsed: string[] = [];
  for await (const { key, state, expiresAtMs } of allItems(scope.store)) {
    if (state === 'leased' && expiresAtMs !== undefined && now >= expiresAtMs) lapsed.push(key);
  }
  return lapsed;
}

/** Half-open: at its end a lease is over. A lease that says no end is judged by the store alone. */
export async function expired(scope: Scope, lease: Lease, nowMs: number | undefined): Promise<boolean> {
  const now = await instant(scope, nowMs);
  return lease.expiresAtMs !== undefined && now >= lease.expiresAtMs;
}

async function instant(scope: Scope, nowMs: number | undefined): Promise<number> {
  return nowMs === undefined ? scope.store.nowMs() : checkInstant('nowMs', nowMs);
}
