/**
 * Which keys there are at an instant, for stores that lease by key only: keys come by the common clock, so that all workers try
 * the same few at the same time without talking to one another. Pure.
 *
 * Scarce and plentiful windows alternate, as in `work.ts`: in a scarce one there are far fewer keys than lanes could work off, so that
 * idle lanes meet on each; in a plentiful one there are about as many.
 */

const WINDOW_MS = 1_000;
/** Keys of a window, as a share of the tasks that all lanes can end in it. */
const SCARCE = 0.15;
const PLENTIFUL = 0.8;
/** What claiming and ending an item takes beside the task itself. */
const CALLS_MS = 10;

export interface KeySchedule {
  /** Keys that there were by so many ms after the start of the run. */
  readonly keysBy: (elapsedMs: number) => number;
  readonly isScarce: (elapsedMs: number) => boolean;
}

/** `lanes` are those that share the keys; `share` is the part of all keys that this stream gets. */
export function keySchedule(lanes: number, taskMs: number, share: number): KeySchedule {
  const capacity = (lanes * WINDOW_MS) / (taskMs + CALLS_MS);
  const scarce = Math.max(1, capacity * SCARCE) * share;
  const plentiful = Math.max(1, capacity * PLENTIFUL) * share;
  const isScarce = (elapsedMs: number): boolean => Math.floor(elapsedMs / WINDOW_MS) % 2 === 0;
  return {
    isScarce,
    keysBy: (elapsedMs) => {
      const windows = Math.floor(elapsedMs / WINDOW_MS);
      const pairs = Math.floor(windows / 2);
      const whole = pairs * (scarce + plentiful) + (windows % 2) * scarce;
      const rate = isScarce(elapsedMs) ? scarce : plentiful;
      return Math.floor(whole + ((elapsedMs % WINDOW_MS) / WINDOW_MS) * rate);
    },
  };
}
