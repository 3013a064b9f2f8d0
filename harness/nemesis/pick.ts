/** Draws from weights with a number that was drawn already. Pure. */

/** One of the names, by weight; `draw` in [0, 1). Throws when no weight is above 0. */
export function pickBy<K extends string>(weights: Readonly<Record<K, number>>, draw: number): K {
  const entries = (Object.entries(weights) as [K, number][]).filter(([, weight]) => weight > 0);
  let left = draw * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    if (left < weight) return name;
    left -= weight;
  }
  const last = entries.at(-1);
  if (!last) throw new Error('Expected one weight above 0');
  return last[0];
}
