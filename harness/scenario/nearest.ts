/** Finds the known name that a misspelt one was probably meant to be. */

/**
 * The nearest of `known` by edit distance, or undefined when none is near enough to be worth saying.
 * Case does not count: `leaseMS` is near `leaseMs`.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  const limit = Math.max(2, Math.floor(wanted.length / 2));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`. Long names are cut: a hint is no search. */
export function editDistance(a: string, b: string): number {
  const from = a.slice(0, 64);
  const to = b.slice(0, 64);
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const replace = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1);
      let cost = Math.min(replace, last[column]! + 1, current[column - 1]! + 1);
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      if (swapped) cost = Math.min(cost, beforeLast[column - 2]! + 1);
      current.push(cost);
    }
    beforeLast = last;
    last = current;
  }
  return last[to.length]!;
}

/** A hint: the nearest known name, then all of them. */
export function knownNames(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  const all = `Known: ${known.map((one) => `\`${one}\``).join(', ')}.`;
  return near === undefined ? all : `Did you mean \`${near}\`? ${all}`;
}
