/** The clock of a memory store: wall time at the start, monotonic from then on, in whole ms. */
import type { Clock } from '../../clock.ts';

/** Reads the store's clock. Steps of the wall clock after the first reading decide nothing. */
export function memoryNow(clock: Clock): () => number {
  const offset = Math.floor(clock.wallMs()) - Math.floor(clock.monotonicMs());
  return () => Math.floor(clock.monotonicMs()) + offset;
}
