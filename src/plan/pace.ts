/**
 * How long a handle waits after a lost race. It remembers across verbs how contended the plan has been: sixteen workers that
 * each begin anew with a short pause lose five rounds of six, and those who know keep out of one another's way. Pure.
 */

/** Longest pause of the first level; each level doubles it. */
const FIRST_MS = 2;
const LEVELS = 8;

export interface Pace {
  /** A race was lost: how long to wait, in ms. */
  lost(): number;
  /** A verb was through in its first round. */
  won(): void;
}

/** Pauses are spread from nothing to the longest of their level, so that those who lost together do not meet again. */
export function createPace(random: () => number): Pace {
  let level = 0;
  return {
    lost() {
      const longest = FIRST_MS * 2 ** level;
      level = Math.min(level + 1, LEVELS - 1);
      return longest * random();
    },
    won() {
      level = Math.max(level - 1, 0);
    },
  };
}
