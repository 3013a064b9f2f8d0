/** S12 once more, from the raw records, with plain maps and no word of the checker's: which items' attempts do not add up. */
import type { Declares } from '../store-module/declares.ts';
import { type Fields, list, type RawCall } from './raw-calls.ts';

interface Counted {
  grants: number;
  /** The greatest number that a grant gave itself. */
  told: number;
  /** Unanswered claims by key. */
  unknown: number;
  /** Calls that may have given an attempt back. */
  back: number;
  /** Limits of the enqueues that may have acted. */
  readonly limits: number[];
  saidDead: boolean;
}

/** Keys whose attempts, as told or shown, cannot be. */
export function miscounted(
  calls: readonly RawCall[],
  rows: readonly { readonly row: Fields }[],
  declares: Declares,
): Set<string> {
  const items = new Map<string, Counted>();
  const of = (key: unknown): Counted => {
    const known = items.get(String(key));
    if (known) return known;
    const fresh = { grants: 0, told: 0, unknown: 0, back: 0, limits: [], saidDead: false };
    items.set(String(key), fresh);
    return fresh;
  };
  const open = calls.filter((call) => call.op === 'claimNext' && call.outcome === 'info');
  for (const call of calls) {
    const may = call.outcome === 'accepted' || call.outcome === 'info';
    if (call.op === 'enqueue' && may)
      for (const item of list(call.invoke.items))
        of(item.key).limits.push(Number(item.maxAttempts ?? Number.POSITIVE_INFINITY));
    if ((call.op === 'claim' || call.op === 'claimNext') && call.outcome === 'accepted') {
      for (const lease of list(call.answer.leases)) {
        const item = of(lease.key);
        item.grants += 1;
        item.told = Math.max(item.told, Number(lease.attempt ?? 0));
      }
    }
    if (call.op === 'claim' && call.outcome === 'info') of(call.invoke.key).unknown += 1;
    const gives = call.op === 'release' || call.op === 'forceRelease';
    if (gives && may && declares.releaseRefundsAttempt) of(call.invoke.key).back += 1;
    if (call.outcome === 'refused' && call.answer.code === 'dead' && call.invoke.key !== undefined)
      of(call.invoke.key).saidDead = true;
  }
  const shown = new Map(rows.map(({ row }) => [String(row.key), row]));
  const broken = new Set<string>();
  for (const [key, item] of items) {
    const most =
      item.grants +
      item.unknown +
      open.filter((call) => key.startsWith(String(call.invoke.prefix ?? ''))).length;
    const least = Math.max(0, item.grants - item.back);
    const row = shown.get(key);
    const attempts = row?.attempts === undefined ? undefined : Number(row.attempts);
    if (attempts !== undefined && (attempts < least || attempts > most)) broken.add(key);
    if (item.told > most || (item.limits.length > 0 && item.told > Math.max(...item.limits))) broken.add(key);
    if (item.limits.length > 0 && least > Math.max(...item.limits)) broken.add(key);
    const dead = item.saidDead || row?.state === 'dead';
    if (dead && item.limits.length > 0 && most < Math.min(...item.limits)) broken.add(key);
  }
  return broken;
}
