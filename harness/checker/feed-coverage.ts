/**
 * Which part of the feed somebody has read without a hole, up to its end: there every event was shown. Pure.
 *
 * A page that goes from one cursor to another shows every event between them, unless a gap is announced: then it shows what
 * is kept, from its first event on. Pages of workers count as those of the final read do, so that what was trimmed in the
 * end was still seen by those who followed.
 */
import type { FeedRead, History } from '../history/history.ts';

/** Every event with an id above this, and up to the end of the final feed, was shown; undefined: the end was not read. */
export function readFrom({ feed, finalFeed }: History): number | undefined {
  if (!finalFeed?.complete) return undefined;
  const stretches = [...feed, ...finalFeed.pages].flatMap(stretchOf).sort((a, b) => b.to - a.to);
  let from = finalFeed.pages.at(-1)!.to;
  for (const one of stretches) {
    if (one.to < from) break;
    from = Math.min(from, one.from);
  }
  return from;
}

function stretchOf({ from, to, gap, events }: FeedRead): { readonly from: number; readonly to: number }[] {
  const first = events[0];
  if (!gap) return [{ from, to }];
  return first === undefined ? [] : [{ from: first.id - 1, to }];
}
