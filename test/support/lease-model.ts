/** The smallest store there is: a map, the pure rules, no engine. What memory and SQLite are compared with. */
import { itemOf, leaseOf } from '../../src/lease/answer.ts';
import { applyChange, type Change, type Decision } from '../../src/lease/change.ts';
import { compareEligible, isEligible } from '../../src/lease/order.ts';
import { type ItemRow, insertedRow } from '../../src/lease/row.ts';
import { leaseRules } from '../../src/lease/rules.ts';
import type { Item, Lease } from '../../src/store.ts';

export class LeaseModel {
  readonly rows = new Map<string, ItemRow>();
  readonly events: string[] = [];
  nowMs = 0;

  enqueue(items: readonly { key: string; maxAttempts?: number; notBeforeMs?: number }[]): string {
    const keys = items.map((item) => item.key);
    if (new Set(keys).size < keys.length || keys.some((key) => this.rows.has(key))) return 'duplicate';
    for (const { key, maxAttempts = null, notBeforeMs = this.nowMs } of items) {
      const eligibleAtMs = Math.max(this.nowMs, notBeforeMs);
      const item = { key, payload: 'null', maxAttempts, eligibleAtMs, enqueuedBy: 'r' };
      this.rows.set(key, insertedRow(this.rows.size + 1, item));
      this.events.push(`enqueued ${key} 0`);
    }
    return 'accepted';
  }

  claim(key: string, owner: string, leaseMs: number, reacquire: boolean): Lease | string {
    const row = this.rows.get(key);
    if (row === undefined) return 'unknown-item';
    const decision = leaseRules.claim(row, { owner, leaseMs, reacquire }, this.nowMs);
    const code = this.#write(row, decision);
    return decision.change?.kind === 'granted' ? leaseOf(row, decision.change) : code;
  }

  claimNext(prefix: string, owner: string, leaseMs: number, limit: number): readonly Lease[] | string {
    const leases: Lease[] = [];
    const line = [...this.rows.values()].filter((row) => row.key.startsWith(prefix)).sort(compareEligible);
    for (const row of line.filter((candidate) => isEligible(candidate, this.nowMs))) {
      if (leases.length === limit) break;
      const lease = this.claim(row.key, owner, leaseMs, false);
      if (typeof lease !== 'string') leases.push(lease);
    }
    return leases.length === 0 ? 'empty' : leases;
  }

  heartbeat(lease: Lease, extendMs: number | undefined): Lease | string {
    const code = this.#holder(lease, (row) => leaseRules.heartbeat(row, { lease, extendMs }, this.nowMs));
    if (code !== 'accepted') return code;
    return { ...lease, expiresAtMs: this.rows.get(lease.key)?.expiresAtMs ?? Number.NaN };
  }

  complete(lease: Lease): string {
    const call = { lease, result: '"x"', request: 'r' };
    return this.#holder(lease, (row) => leaseRules.complete(row, call, this.nowMs));
  }

  nack(lease: Lease): string {
    return this.#holder(lease, (row) => leaseRules.nack(row, { lease, error: 'failed' }, this.nowMs));
  }

  release(lease: Lease): string {
    return this.#holder(lease, (row) => leaseRules.release(row, { lease }, this.nowMs));
  }

  forceRelease(key: string): string {
    const row = this.rows.get(key);
    if (row === undefined) return 'unknown-item';
    return this.#write(row, leaseRules.forceRelease(row, { by: 'operator' }, this.nowMs));
  }

  items(): readonly Item[] {
    return [...this.rows.values()].sort((x, y) => (x.key < y.key ? -1 : 1)).map(itemOf);
  }

  #holder(lease: Lease, decide: (row: ItemRow) => Decision): string {
    const row = this.rows.get(lease.key);
    return row === undefined ? 'unknown-item' : this.#write(row, decide(row));
  }

  #write(
    row: ItemRow,
    { change, refusal }: { change?: Change; refusal?: { code: string } | undefined },
  ): string {
    if (change !== undefined) {
      this.rows.set(row.key, applyChange(row, change));
      for (const event of change.events) this.events.push(`${event.kind} ${row.key} ${event.generation}`);
    }
    return refusal?.code ?? 'accepted';
  }
}
