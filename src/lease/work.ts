/**
 * The work facet, written once for every engine: check the arguments, find the rows under the write lock, let the rules
 * decide, write the change and its events in the same transaction.
 */
import type { Awaitable, Lease, Outcome, WorkStore } from '../store.ts';
import { itemOf } from './answer.ts';
import { mapAwaitable } from './awaitable.ts';
import type { Patience, WorkBackend } from './backend.ts';
import type { Change, Decision } from './change.ts';
import type { ClaimCall } from './claim.ts';
import { createGrants } from './grants.ts';
import { encodeJson } from './json.ts';
import { duplicate, empty, unknownItem } from './refusals.ts';
import type { ItemRow, NewRow } from './row.ts';
import { type LeaseRules, leaseRules } from './rules.ts';
import * as check from './validate.ts';
import { refused, writeChange } from './write.ts';

/** How the work facet of a store behaves. */
export interface WorkOptions {
  /** @default 'enqueued': a claim of an unknown key is refused. `on-demand`: the first claim makes the item. */
  readonly items?: 'enqueued' | 'on-demand';
  /** Replaces lease rules; for stores that are broken on purpose. @default the rules of this package */
  readonly rules?: LeaseRules;
}

const CLAIM: Patience = { rank: 'claim' };
const ACCEPTED: Outcome<void> = { accepted: true, value: undefined };

/** The work facet over an engine. Answers at once wherever the engine does. */
export function createWorkStore(backend: WorkBackend, options: WorkOptions = {}): Required<WorkStore> {
  const rules = options.rules ?? leaseRules;
  const grants = createGrants(rules);
  const onDemand = options.items === 'on-demand';

  /** A call on one row that stands or falls with the lease it hands in. */
  function holderCall<T>(
    lease: Lease,
    decide: (row: ItemRow, nowMs: number) => Decision,
    answer: (change: Change) => Outcome<T>,
  ): Awaitable<Outcome<T>> {
    const patience: Patience = { rank: 'holder', untilMs: lease.expiresAtMs, leaseMs: lease.leaseMs };
    return backend.write(patience, (tx, nowMs) => {
      const row = tx.find(lease.key);
      if (row === undefined) return refused(tx, unknownItem(lease.key));
      const decision = decide(row, nowMs);
      if (decision.change !== undefined) writeChange(tx, row, decision.change, nowMs);
      return decision.refusal === undefined ? answer(decision.change) : refused(tx, decision.refusal);
    });
  }

  return {
    enqueue(items, call) {
      check.checkCall(call);
      const rows = check.checkItems(items, call.request);
      const twice = firstRepeated(rows);
      return backend.write(CLAIM, (tx, nowMs) => {
        if (twice !== undefined) return refused(tx, duplicate(twice, 'in this call'));
        const known = rows.find((row) => tx.find(row.key) !== undefined);
        if (known !== undefined) return refused(tx, duplicate(known.key, 'stored'));
        for (const row of rows) {
          tx.insert({ ...row, eligibleAtMs: Math.max(nowMs, row.eligibleAtMs) });
          tx.event(row.key, { kind: 'enqueued', author: '', generation: 0 }, nowMs);
        }
        return ACCEPTED;
      });
    },

    claim(key, by) {
      check.checkKey('key', key);
      check.checkClaimant(by);
      return backend.write(CLAIM, (tx, nowMs) => {
        const row = tx.find(key) ?? (onDemand ? tx.insert(itemOnDemand(key, nowMs)) : undefined);
        if (row === undefined) return refused(tx, unknownItem(key));
        const claimed = grants.one(tx, row, by, nowMs);
        return 'refusal' in claimed ? refused(tx, claimed.refusal) : { accepted: true, value: claimed.lease };
      });
    },

    claimNext(prefix, by) {
      check.checkText('prefix', prefix);
      check.checkClaimant(by);
      const limit = by.limit === undefined ? 1 : check.checkCount('limit', by.limit);
      // A live lease is passed over, to its own owner too: reacquiring is for a given item.
      const call: ClaimCall = { owner: by.owner, leaseMs: by.leaseMs };
      return backend.write(CLAIM, (tx, nowMs) => {
        const leases = grants.first(tx, prefix, call, limit, nowMs);
        if (leases.length === 0) return refused(tx, empty(prefix));
        return { accepted: true, value: leases };
      });
    },

    heartbeat(lease, call) {
      check.checkLease(lease);
      check.checkCall(call);
      const { extendMs } = call;
      if (extendMs !== undefined) check.checkDuration('extendMs', extendMs);
      return holderCall(
        lease,
        (row, nowMs) => rules.heartbeat(row, { lease, extendMs }, nowMs),
        (change) => {
          const expiresAtMs = change.kind === 'extended' ? change.expiresAtMs : lease.expiresAtMs;
          return { accepted: true, value: expiresAtMs === undefined ? lease : { ...lease, expiresAtMs } };
        },
      );
    },

    complete(lease, call) {
      check.checkLease(lease);
      check.checkCall(call);
      const { request } = call;
      const result = encodeJson('result', call.result);
      return holderCall(
        lease,
        (row, nowMs) => rules.complete(row, { lease, result, request }, nowMs),
        accept,
      );
    },

    nack(lease, call) {
      check.checkLease(lease);
      check.checkCall(call);
      const error = check.checkString('error', call.error);
      return holderCall(lease, (row, nowMs) => rules.nack(row, { lease, error }, nowMs), accept);
    },

    release(lease, call) {
      check.checkLease(lease);
      check.checkCall(call);
      return holderCall(lease, (row, nowMs) => rules.release(row, { lease }, nowMs), accept);
    },

    forceRelease(key, call) {
      check.checkKey('key', key);
      check.checkCall(call);
      const by = check.checkLabel('by', call.by);
      return backend.write(CLAIM, (tx, nowMs) => {
        const row = tx.find(key);
        if (row === undefined) return refused(tx, unknownItem(key));
        const decision = rules.forceRelease(row, { by }, nowMs);
        if (decision.change !== undefined) writeChange(tx, row, decision.change, nowMs);
        return decision.refusal === undefined ? ACCEPTED : refused(tx, decision.refusal);
      });
    },

    scan(page) {
      check.checkPage(page);
      return mapAwaitable(backend.page(page.after, page.limit), (rows) => rows.map(itemOf));
    },
  };
}

const accept = () => ACCEPTED;

function itemOnDemand(key: string, nowMs: number): NewRow {
  return { key, payload: null, maxAttempts: null, eligibleAtMs: nowMs, enqueuedBy: null };
}

function firstRepeated(rows: readonly NewRow[]): string | undefined {
  const seen = new Set<string>();
  for (const { key } of rows) {
    if (seen.has(key)) return key;
    seen.add(key);
  }
  return undefined;
}
