/** Durations in an HDR histogram: every sample counts, none is clamped or dropped (case A30). Pure. */
import * as hdr from 'hdr-histogram-js';
import type { Percentiles } from '../report/results.ts';

/** No duration in microseconds reaches this: the ceiling is the largest whole number there is, so nothing lies above it. */
const CEILING = Number.MAX_SAFE_INTEGER;

/** A distribution of durations. Resolution: one microsecond, three significant digits. */
export class Distribution {
  readonly #histogram = hdr.build({
    bitBucketSize: 32,
    autoResize: false,
    lowestDiscernibleValue: 1,
    highestTrackableValue: CEILING,
    numberOfSignificantValueDigits: 3,
  });
  #count = 0;
  #maxUs = 0;

  /** Adds one sample. @throws RangeError for what is no duration: negative, NaN or without end. */
  add(ms: number): void {
    if (!(ms >= 0 && ms < Number.POSITIVE_INFINITY))
      throw new RangeError(`Expected a duration in ms, got ${ms}`);
    const us = Math.round(ms * 1000);
    this.#histogram.recordValue(us);
    this.#count += 1;
    this.#maxUs = Math.max(this.#maxUs, us);
  }

  /** Adds all samples of another distribution: the same as if both had been one list. */
  merge(other: Distribution): void {
    if (other.#count === 0) return;
    this.#histogram.add(other.#histogram);
    this.#count += other.#count;
    this.#maxUs = Math.max(this.#maxUs, other.#maxUs);
  }

  /** Milliseconds; undefined without samples. The largest sample is exact, the others to three digits. */
  percentiles(): Percentiles {
    const at = (percent: number): number | undefined =>
      this.#count === 0
        ? undefined
        : Math.min(this.#histogram.getValueAtPercentile(percent), this.#maxUs) / 1000;
    return {
      count: this.#count,
      p50: at(50),
      p95: at(95),
      p99: at(99),
      max: this.#count === 0 ? undefined : this.#maxUs / 1000,
    };
  }
}
