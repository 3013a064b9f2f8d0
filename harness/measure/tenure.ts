/** One tenure: a grant with what was called under it. Type only. */

/** One grant of one item, from its answer to whatever ended it. */
export interface Tenure {
  readonly item: number;
  /** Row of the grant. */
  readonly grant: number;
  readonly incarnation: number;
  /** Rows of heartbeat, complete, nack and release under this grant, whatever came of them, in order of their invokes. */
  readonly calls: readonly number[];
  /** When a later grant of the item was certain: the earliest answer of one. +Infinity when none came. */
  readonly supersededAt: number;
  /** The next grant in the order of generations, where the item has one. */
  readonly next: Tenure | undefined;
}
