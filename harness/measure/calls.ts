/** Rows and calls: an `enqueue` of three items is three rows and one call. Pure. */
import { FLAG, type Operations, requestOf } from '../history/history.ts';

/**
 * A filter that lets one row of each call through, whatever order the rows come in. It remembers batches only, since a
 * row without the batch flag is a call of its own.
 */
export function oncePerCall(ops: Operations): (row: number) => boolean {
  const seen = new Set<string>();
  return (row) => {
    if ((ops.flags[row]! & FLAG.batch) === 0) return true;
    const request = requestOf(ops, row);
    if (seen.has(request)) return false;
    seen.add(request);
    return true;
  };
}
