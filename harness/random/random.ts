/** Seeded randomness: the same seed and the same name give the same stream, whatever else was drawn. */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** Whole number in [from, to]. */
  int(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** One of the names, by weight. Throws when no weight is above 0. */
  pick<K extends string>(weights: Readonly<Record<K, number>>): K;
  /** One of the items; undefined when there is none. */
  of<T>(items: readonly T[]): T | undefined;
  /** Exponential gap with this mean: the gaps of a Poisson stream. */
  exponential(mean: number): number;
  /** Log-normal with this median and 95th percentile. */
  logNormal(p50: number, p95: number): number;
}

/** 95th percentile of the standard normal distribution. */
const Z95 = 1.6448536269514722;

/** The stream called `name` of this seed. */
export function randomStream(seed: number, name: string): Random {
  const generator = xoroshiro128plus(hash(`${seed}/${name}`));
  const next = (): number => uniformFloat64(generator);
  return {
    next,
    int: (from, to) => from + Math.floor(next() * (to - from + 1)),
    chance: (probability) => next() < probability,
    pick<K extends string>(weights: Readonly<Record<K, number>>): K {
      const entries = Object.entries(weights) as [K, number][];
      const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
      let left = next() * total;
      for (const [name, weight] of entries) {
        if (weight > 0 && left < weight) return name;
        left -= weight;
      }
      const last = entries.filter(([, weight]) => weight > 0).at(-1);
      if (!last) throw new Error('Expected one weight above 0');
      return last[0];
    },
    of: (items) => items[Math.floor(next() * items.length)],
    exponential: (mean) => -mean * Math.log(1 - next()),
    logNormal(p50, p95) {
      const sigma = Math.log(p95 / p50) / Z95;
      // Box-Muller; 1 - next() keeps the logarithm finite.
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      return p50 * Math.exp(sigma * normal);
    },
  };
}

/** FNV-1a, folded to 32 bits: names that differ in one letter must not give neighbouring streams. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  h ^= h >>> 13;
  return h | 0;
}
