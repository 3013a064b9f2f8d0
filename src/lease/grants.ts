/** How claims are granted: one given row, or the first of the line. */
import type { Lease, Refusal } from '../store.ts';
import { leaseOf } from './answer.ts';
import type { WorkTransaction } from './backend.ts';
import type { ClaimCall } from './claim.ts';
import { empty } from './refusals.ts';
import type { ItemRow } from './row.ts';
import type { LeaseRules } from './rules.ts';
import { writeChange } from './write.ts';

/** A lease, or why not; `buried`: the item turned out to be used up and is dead now. */
export type Granting = { readonly lease: Lease } | { readonly refusal: Refusal; readonly buried: boolean };

/** Grants by the claim rule. */
export function createGrants(rules: Pick<LeaseRules, 'claim'>) {
  function one(tx: WorkTransaction, row: ItemRow, by: ClaimCall, nowMs: number): Granting {
    const { change, refusal } = rules.claim(row, by, nowMs);
    if (change !== undefined) writeChange(tx, row, change, nowMs);
    if (change?.kind === 'granted') return { lease: leaseOf(row, change) };
    return { refusal: refusal ?? empty(row.key), buried: change !== undefined };
  }

  /** From the front of the line. Items that turn out to be used up are buried on the way and not counted. */
  function first(tx: WorkTransaction, prefix: string, by: ClaimCall, limit: number, nowMs: number): Lease[] {
    const leases: Lease[] = [];
    for (;;) {
      const wanted = limit - leases.length;
      const rows = tx.eligible(prefix, nowMs, wanted);
      let buried = false;
      for (const row of rows) {
        const granting = one(tx, row, by, nowMs);
        if ('lease' in granting) leases.push(granting.lease);
        else buried ||= granting.buried;
      }
      // Fewer rows than wanted: there are no more. A round that buried nothing has filled the order.
      if (!buried || rows.length < wanted) return leases;
    }
  }

  return { one, first };
}
