import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomStream } from '../../../harness/random/random.ts';

const draw = (seed: number, name: string): number[] => {
  const stream = randomStream(seed, name);
  return Array.from({ length: 20 }, () => stream.next());
};

describe('a random stream', () => {
  it('is the same for the same seed and name, and another for any other (property)', () => {
    fc.assert(
      fc.property(fc.nat(), fc.string(), fc.nat(), fc.string(), (seed, name, otherSeed, otherName) => {
        expect(draw(seed, name)).toEqual(draw(seed, name));
        if (seed !== otherSeed || name !== otherName)
          expect(draw(seed, name)).not.toEqual(draw(otherSeed, otherName));
      }),
    );
  });

  it('picks by weight, and never what has none', () => {
    const stream = randomStream(7, 'weights');
    const counts = { kill: 0, pause: 0, never: 0 };
    for (let i = 0; i < 10_000; i++) counts[stream.pick({ kill: 30, pause: 10, never: 0 })] += 1;
    expect(counts.never).toBe(0);
    expect(counts.kill / counts.pause).toBeGreaterThan(2.7);
    expect(counts.kill / counts.pause).toBeLessThan(3.3);
    expect(() => stream.pick({ never: 0 })).toThrow('Expected one weight above 0');
  });

  it('has the median and 95th percentile that were asked for', () => {
    const stream = randomStream(7, 'tasks');
    const sorted = Array.from({ length: 20_000 }, () => stream.logNormal(20, 60)).sort((a, b) => a - b);
    expect(sorted[10_000]).toBeGreaterThan(19);
    expect(sorted[10_000]).toBeLessThan(21);
    expect(sorted[19_000]).toBeGreaterThan(56);
    expect(sorted[19_000]).toBeLessThan(64);
  });

  it('has gaps whose mean is the one that was asked for', () => {
    const stream = randomStream(7, 'gaps');
    const mean =
      Array.from({ length: 20_000 }, () => stream.exponential(100)).reduce((a, b) => a + b) / 20_000;
    expect(mean).toBeGreaterThan(96);
    expect(mean).toBeLessThan(104);
  });
});
