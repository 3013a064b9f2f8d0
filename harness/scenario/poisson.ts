/** How many faults must be expected so that a minimum is almost never missed by chance. Pure. */

/** A run in ten thousand may miss its minimum by bad luck. */
const MISS = 1e-4;

/**
 * The mean of a Poisson count that falls below `min` in fewer than one run of 10,000, rounded up to halves:
 * 1 → 9.5, 3 → 14, 5 → 18, 10 → 26.5, 20 → 41.5, 50 → 81. 0 needs nothing.
 */
export function neededMean(min: number): number {
  if (min <= 0) return 0;
  let low = min;
  let high = min + 10 + 6 * Math.sqrt(min);
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (probabilityBelow(min, middle) <= MISS) high = middle;
    else low = middle;
  }
  return Math.ceil(high * 2 - 1e-6) / 2;
}

/** P(X < min) of a Poisson variable of this mean; each term in logarithms, so that a large mean does not underflow. */
export function probabilityBelow(min: number, mean: number): number {
  let logTerm = -mean;
  let sum = Math.exp(logTerm);
  for (let k = 1; k < min; k++) {
    logTerm += Math.log(mean / k);
    sum += Math.exp(logTerm);
  }
  return sum;
}
