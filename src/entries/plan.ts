/** What a commit would write, decided before anything is written: a refusal is counted, not rolled back. Pure. */
import { unknownItem, wrongOwner } from '../lease/refusals.ts';
import type { ItemRow } from '../lease/row.ts';
import type { Lease, Refusal } from '../store.ts';
import type { EntryRow, Head } from './row.ts';
import type { EntryRules } from './rules.ts';
import type { CheckedWrite, Requirements } from './validate.ts';

/** The state under the write lock. */
export interface CommitState {
  find(key: string): ItemRow | undefined;
  head(key: string): Head | undefined;
}

/** The rows of all writes in their order, or why nothing is written. */
export type CommitPlan =
  | { readonly refusal: Refusal }
  | { readonly refusal?: undefined; readonly rows: readonly PlannedRow[] };

export interface PlannedRow {
  readonly write: CheckedWrite;
  readonly row: EntryRow;
}

/** Decides in the order of spec/board.md B5.8: fences before versions. */
export function planCommit(
  rules: EntryRules,
  state: CommitState,
  writes: readonly CheckedWrite[],
  required: Requirements,
  nowMs: number,
): CommitPlan {
  for (const { fence, author } of writes) {
    const refusal = fence && checkFence(rules, state, fence, author, nowMs);
    if (refusal !== undefined) return { refusal };
  }
  for (const { key, version } of required) {
    const refusal = rules.expect(key, state.head(key), version);
    if (refusal !== undefined) return { refusal };
  }
  /** Heads that this commit moves, so that a second write to a key sees the first. */
  const moved = new Map<string, Head>();
  const rows: PlannedRow[] = [];
  for (const write of writes) {
    const { key, ifVersion, fence } = write;
    const head = moved.get(key) ?? state.head(key);
    const refusal = ifVersion === undefined ? undefined : rules.expect(key, head, ifVersion);
    if (refusal !== undefined) return { refusal };
    const version = rules.nextVersion(head);
    const generation = fence === undefined ? write.generation : (state.find(fence.key)?.generation ?? null);
    const { value, author, request } = write;
    rows.push({ write, row: { key, version, value, author, generation, createdAtMs: nowMs, request } });
    moved.set(key, { version, live: value !== null });
  }
  return { rows };
}

/** The lease stands, and the one who writes is the one who holds it (spec/board.md B5.2). */
function checkFence(
  rules: EntryRules,
  state: CommitState,
  lease: Lease,
  author: string,
  nowMs: number,
): Refusal | undefined {
  const row = state.find(lease.key);
  if (row === undefined) return unknownItem(lease.key);
  const refusal = rules.fence(row, lease, nowMs);
  if (refusal !== undefined) return refusal;
  return author === lease.owner ? undefined : wrongOwner(row, author);
}
