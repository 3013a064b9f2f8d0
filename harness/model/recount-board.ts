/**
 * The second, naive count for S16, S20 and S22: every pair of accesses of a key is looked at, over the raw records. Shares
 * nothing with the checkers nor with the history builder; counts a key only when it was accused.
 */
import type { Declares } from '../store-module/declares.ts';
import type { RawCall } from './raw-calls.ts';
import { brokenKey, keyOf } from './recount-entries.ts';
import { brokenEvents } from './recount-events.ts';
import { brokenIds, brokenPages } from './recount-feed.ts';
import { inPieces } from './recount-together.ts';

/** Whether a second count finds the guarantee broken at a key; undefined: at no key in particular. */
export type BoardRecount = Readonly<Record<'S16' | 'S20' | 'S22', (key: string | undefined) => boolean>>;

/** Counts when asked, each key once. */
export function recountBoard(calls: readonly RawCall[], declares: Declares): BoardRecount {
  let ids: ReadonlySet<string> | undefined;
  return {
    S16: once((name) => {
      const key = keyOf(calls, name, declares);
      return brokenKey(calls, key) || inPieces(calls, key);
    }),
    S20(key = '') {
      ids ??= brokenIds(calls);
      return ids.has(key);
    },
    S22: once((key) => brokenPages(calls, key) || brokenEvents(calls, key, declares)),
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
