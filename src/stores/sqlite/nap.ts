/** A short sleep of the whole thread, for the first instants of a wait for a lock. */

const cell = new Int32Array(new SharedArrayBuffer(4));

/** Blocks the thread for `ms`. Keep it below one: no timer and no other call of the process runs meanwhile. */
export function nap(ms: number): void {
  Atomics.wait(cell, 0, 0, ms);
}
