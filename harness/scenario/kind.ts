/** The kinds of workload, and what each lane of a worker does under them. Pure; types, and no schema library: workers load it. */

export const WORKLOAD_KINDS = ['work', 'register', 'log', 'feed', 'mixed', 'plan'] as const;
export type WorkloadKind = (typeof WORKLOAD_KINDS)[number];

/**
 * - `work`: claims items, works on them, ends them.
 * - `register`: compare-and-set on few hot keys.
 * - `log`: appends to few keys, reads them back.
 * - `write`: both of them by turns.
 * - `follow`: reads the feed, and keeps its place in it.
 * - `plan`: all verbs of durable plans.
 */
export type LaneRole = 'work' | 'register' | 'log' | 'write' | 'follow' | 'plan';

/** What decides who does what. */
export interface Staffing {
  readonly kind: WorkloadKind;
  readonly lanes: number;
  /** Lanes of each worker that follow the feed (feed, mixed). */
  readonly followers: number;
  /** Whether the store has a feed; without one nobody follows (mixed). */
  readonly hasFeed: boolean;
}

/** The role of each lane of a worker, by its index. The same in every worker. */
export function laneRoles({ kind, lanes, followers, hasFeed }: Staffing): LaneRole[] {
  if (kind === 'work' || kind === 'register' || kind === 'log' || kind === 'plan')
    return Array.from({ length: lanes }, () => kind);
  // Somebody has to make what is followed: a writer, and beside it a lane of leased work in `mixed`.
  const others = kind === 'mixed' ? 2 : 1;
  const following = hasFeed ? Math.max(0, Math.min(followers, lanes - others)) : 0;
  const rest = lanes - following;
  const writing = kind === 'feed' ? rest : Math.floor(rest / 2);
  return Array.from({ length: lanes }, (_, index) => {
    if (index < rest - writing) return 'work';
    return index < rest ? 'write' : 'follow';
  });
}

/** Whether lanes of this kind claim items as their work: only then is evidence about leases demanded. */
export const worksOnLeases = (kind: WorkloadKind): boolean => kind === 'work' || kind === 'mixed';

/** Whether a worker of this kind can hold something that runs out: an item, or a task of a plan. Then holders are what faults are best done to. */
export const holdsClaims = (kind: WorkloadKind): boolean => worksOnLeases(kind) || kind === 'plan';
