/** The earliest and the latest end of a lease, in ns after it was set, from what the store declares of its clock (spec/checking.md 3.5). */
import type { Declares } from '../store-module/declares.ts';

const NS_PER_MS = 1e6;

export interface Bounds {
  /** A lease of that many ms stands at least so many ns. Never below 0. NaN for an unknown lease. */
  readonly atLeast: (leaseMs: number) => number;
  /** A lease of that many ms is over after so many ns. */
  readonly atMost: (leaseMs: number) => number;
}

/**
 * Drift (share) and step (ms) bound the store's clock against ours, the grain its rounding. A store that clamps leases to
 * `minLeaseMs` and `maxLeaseMs` may not say so in its answer, so both bounds allow for it.
 */
export function boundsOf(declares: Declares): Bounds {
  const slackMs = declares.clockStepMs + declares.grainMs;
  return {
    atLeast: (leaseMs) =>
      Math.max(0, Math.min(leaseMs, declares.maxLeaseMs) * (1 - declares.clockDrift) - slackMs) * NS_PER_MS,
    atMost: (leaseMs) =>
      (Math.max(leaseMs, declares.minLeaseMs) * (1 + declares.clockDrift) + slackMs) * NS_PER_MS,
  };
}
