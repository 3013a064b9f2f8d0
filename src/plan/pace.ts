/**
 * How long a handle waits after a lost race. It remembers across verbs how contended the plan has been: sixteen workers that
 * each begin anew with a short pause lose five rounds of six, and those who know keep out of one another's way. Pure.
 */

/** The longest pause of a level is the time that the lost round took, doubled for each level: a busy machine needs longer ones. */
const LEVELS = 6;
const LEAST_MS = 1;
const MOST_MS = 2000;

export interface Pace {
  /** A race was lost in a round that took so long: how long to wait, in ms. */
  lost(roundMs: number): number;
  /** A verb was through in its first round. */
  won(): void;
}

/** Pauses are spread from nothing to the longest of their level, so that those who lost together do not meet again. */
export function createPace(random: () => number): Pace {
  let level = 0;
  return {
    lost(roundMs) {
      level = Math.min(level + 1, LEVELS);
      return Math.min(Math.max(roundMs, LEAST_MS) * 2 ** level, MOST_MS) * random();
    },
    won() {
      level = Math.max(level - 1, 0);
    },
  };
}
