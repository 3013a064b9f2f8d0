/** Percentiles of known distributions; nothing is dropped or clamped (A30). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Distribution } from '../../../harness/measure/distribution.ts';

function of(samples: Iterable<number>): Distribution {
  const distribution = new Distribution();
  for (const sample of samples) distribution.add(sample);
  return distribution;
}

describe('Distribution', () => {
  it('has no percentiles without samples', () => {
    expect(of([]).percentiles()).toEqual({
      count: 0,
      p50: undefined,
      p95: undefined,
      p99: undefined,
      max: undefined,
    });
  });

  it('gives the percentiles of a known distribution to three digits', () => {
    const { count, p50, p95, p99, max } = of(Array.from({ length: 1000 }, (_, i) => i + 1)).percentiles();
    expect([count, max]).toEqual([1000, 1000]);
    for (const [got, wanted] of [
      [p50, 500],
      [p95, 950],
      [p99, 990],
    ] as const)
      expect(Math.abs(got! / wanted - 1)).toBeLessThan(0.002);
  });

  it('counts the slow tenth, however slow (A30)', () => {
    const samples = [...Array<number>(90).fill(200), ...Array<number>(10).fill(5000)];
    const { count, p50, p95, max } = of(samples).percentiles();
    expect([count, max]).toEqual([100, 5000]);
    expect(p50! / 200).toBeCloseTo(1, 2);
    expect(p95! / 5000).toBeCloseTo(1, 2);
  });

  it('has a ceiling above every duration that a clock of ours can show', () => {
    // Monotonic nanoseconds are exact up to 2^53: no difference of two of them is longer.
    const longestMs = 2 ** 53 / 1e6;
    const { count, p50, max } = of([longestMs]).percentiles();
    expect([count, Math.round(max!), Math.round(p50!)]).toEqual([
      1,
      Math.round(longestMs),
      Math.round(longestMs),
    ]);
  });

  it('shows a microsecond', () => {
    expect(of([0.001]).percentiles()).toEqual({ count: 1, p50: 0.001, p95: 0.001, p99: 0.001, max: 0.001 });
    expect(of([0]).percentiles().max).toBe(0);
  });

  it.each([Number.NaN, -1, Number.POSITIVE_INFINITY])('refuses %s, which is no duration', (sample) => {
    expect(() => new Distribution().add(sample)).toThrow(RangeError);
  });

  it('comes to the same merged from four workers as from one list (property)', () => {
    const list = fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { maxLength: 40 });
    fc.assert(
      fc.property(fc.tuple(list, list, list, list), (parts) => {
        const merged = new Distribution();
        for (const part of parts) merged.merge(of(part));
        expect(merged.percentiles()).toEqual(of(parts.flat()).percentiles());
      }),
      { numRuns: 50 },
    );
  });
});
