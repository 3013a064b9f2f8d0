/**
 * The second, naive count for S16, S20 and S22: every pair of accesses of a key is looked at, over the raw records. Shares
 * nothing with the checkers nor with the history builder; counts a key only when it was accused.
 */
import type { Declares } from '../store-module/declares.ts';
import type { RawCall } from './raw-calls.ts';
import { brokenKey } from './recount-entries.ts';
import { brokenFeed, brokenIds } from './recount-feed.ts';

/** Whether a second count finds the guarantee broken at a key; undefined: at no key in particular. */
export type BoardRecount = Readonly<Record<'S16' | 'S20' | 'S22', (key: string | undefined) => boolean>>;

/** Counts when asked, each key once. */
export function recountBoard(calls: readonly RawCall[], declares: Declares): BoardRecount {
  let ids: ReadonlySet<string> | undefined;
  return {
    S16: once((key) => brokenKey(calls, key, declares)),
    S20(key = '') {
      ids ??= brokenIds(calls);
      return ids.has(key);
    },
    S22: once((key) => brokenFeed(calls, key)),
  };
}

function once(count: (key: string) => boolean): (key: string | undefined) => boolean {
  const counted = new Map<string, boolean>();
  return (key = '') => {
    const broken = counted.get(key) ?? count(key);
    counted.set(key, broken);
    return broken;
  };
}
