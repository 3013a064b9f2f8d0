/** Pauses between tries (spec/jobs.md D4-13, D4-18, D7). Pure. */

const FIRST_MS = 2000;
const GROWTH = 1.8;
const MOST_MS = 30_000;
const SPREAD = 0.25;
/** A receiver may ask for a longer pause, up to a day. */
const ASKED_MOST_MS = 86_400_000;

/**
 * The pause after the given attempt at a delivery (from 1): 2 s, growing by 1.8, at most 30 s, a quarter more or less; or what the receiver asked
 * for, when that is longer. Never less than a second, however many attempts.
 *
 * @param random 0 <= x < 1
 */
export function deliveryPauseMs(attempt: number, random: number, askedMs = 0): number {
  const grown = Math.min(MOST_MS, FIRST_MS * GROWTH ** (Math.max(1, attempt) - 1));
  const asked = Number.isFinite(askedMs) ? Math.min(askedMs, ASKED_MOST_MS) : 0;
  return Math.max(grown * (1 - SPREAD + 2 * SPREAD * random), asked);
}

const WRITE_FIRST_MS = 50;

/** The pause after the given failed write (from 1): 50 ms, doubling, at most 30 s. */
export const writePauseMs = (attempt: number): number =>
  Math.min(MOST_MS, WRITE_FIRST_MS * 2 ** (Math.max(1, attempt) - 1));
