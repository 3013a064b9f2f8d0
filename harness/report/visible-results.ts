/** Results for a terminal: text that came from a store or a file cannot move the cursor or hide. Pure. */
import { visible, visibleLines } from '../../src/text/visible.ts';
import type { Results } from './results.ts';

/**
 * The same results with every text made visible. Only the `key` of a violation stays as it is: it is not shown, it becomes part of
 * a command, and a shell has quotes of its own for it.
 */
export function visibleResults(results: Results): Results {
  return seen(results, '') as Results;
}

function seen(value: unknown, name: string): unknown {
  if (typeof value === 'string') {
    if (name === 'key') return value;
    // Messages may have several lines (the error of a store); they are wrapped like one.
    return name === 'message' || name === 'fix' ? visibleLines(value) : visible(value);
  }
  if (Array.isArray(value)) return value.map((one) => seen(one, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, seen(one, key)]));
}
