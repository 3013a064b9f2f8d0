/**
 * O16, followers restarted: a process took the place of one that had followed the feed, and went on in its middle.
 *
 * Counted per process: its first answered page began behind a cursor above 0 and below the end of the feed, and another
 * process of its label had read pages before. A follower that never restarts cannot meet an event that appears late.
 */
import type { FeedRead, Incarnation } from '../history/history.ts';
import { within } from '../measure/window.ts';
import { lacks, type ObligationRule } from './rule.ts';

export const followersRestarted: ObligationRule = {
  id: 'O16.restart',
  name: 'followers restarted',
  statement:
    'A process went on, in main, in the middle of the feed where an earlier process of the same label had stopped.',
  min: 1,
  advice: 'Kill more often (`faults.every`, `faults.kill`), or let more lanes follow (`workload.followers`).',
  asked: ({ workload }) => workload.includes('since'),
  notTested: (context) => lacks(context, 'since'),
  count: ({ history: { ops, feed, incarnations }, main }) => {
    /** The first page of each process by answer, and the first answer under each label. */
    const first = new Map<number, FeedRead>();
    const began = new Map<string, number>();
    const lifeOf = (page: FeedRead): Incarnation | undefined => incarnations.get(ops.incarnation[page.row]!);
    for (const page of feed) {
      const life = lifeOf(page);
      if (life === undefined) continue;
      const at = ops.ret[page.row]!;
      const known = first.get(life.id);
      if (!known || at < ops.ret[known.row]!) first.set(life.id, page);
      began.set(life.label, Math.min(at, began.get(life.label) ?? at));
    }
    let seen = 0;
    for (const page of first.values()) {
      const inv = ops.inv[page.row]!;
      const isInMiddle = page.from > 0 && page.events.length > 0;
      if (isInMiddle && within(main, inv) && began.get(lifeOf(page)!.label)! < inv) seen += 1;
    }
    return seen;
  },
};
