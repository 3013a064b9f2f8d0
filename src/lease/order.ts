/** The two orders of the work facet: who is served first, and how pages run. Pure. */
import { type ItemRow, isLive } from './row.ts';

/** Whether `claimNext` may look at the row: open and eligible, or leased with the lease over. */
export function isEligible(row: ItemRow, nowMs: number): boolean {
  if (row.state === 'open') return row.eligibleAtMs <= nowMs;
  return row.state === 'leased' && !isLive(row, nowMs);
}

/** Earliest eligible first, then insertion. */
export function compareEligible(a: ItemRow, b: ItemRow): number {
  return a.eligibleAtMs - b.eligibleAtMs || a.id - b.id;
}

/** The first `limit` rows of two lists that are each in the order of `compareEligible`. */
export function mergeEligible(
  open: readonly ItemRow[],
  lapsed: readonly ItemRow[],
  limit: number,
): readonly ItemRow[] {
  if (lapsed.length === 0) return open;
  return [...open, ...lapsed].sort(compareEligible).slice(0, limit);
}

/** Key order: by code point, which is the order of UTF-8 bytes that SQLite sorts by. JavaScript's `<` differs. */
export function compareKeys(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return codePointRank(left) - codePointRank(right);
  }
  return a.length - b.length;
}

/** Halves of surrogate pairs stand for code points above U+FFFF, so they go behind U+E000 to U+FFFF. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
