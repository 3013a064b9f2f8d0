/** How long a lease lasts, by kind of item. There is no default: too short kills healthy workers, too long hides dead ones. Pure. */
import { invalidArgument } from '../errors.ts';
import { matches, parsePattern } from './pattern.ts';
import { checkDuration } from './validate.ts';

/** One duration in ms for every item, or one for each kind of item by pattern; the first match wins. */
export type LeaseMs = number | Readonly<Record<string, number>>;

/** Answers the duration for a key. */
export type LeaseDuration = (key: string, asked: number | undefined) => number;

/** Reads durations that the schema of a board has let pass. */
export function leaseDurations(given: LeaseMs | undefined): LeaseDuration {
  const kindOf = readKinds(given);
  return (key, asked) => {
    if (asked !== undefined) return checkDuration('leaseMs', asked);
    const ms = kindOf(key);
    if (ms !== undefined) return ms;
    throw invalidArgument(
      'leaseMs',
      `a duration for ${key}, given to claim or to createBoard (three times the p95 of the task is the rule)`,
      asked,
    );
  };
}

function readKinds(given: LeaseMs | undefined): (key: string) => number | undefined {
  if (typeof given !== 'object') return () => given;
  const kinds = Object.entries(given).map(([text, ms]) => ({ pattern: parsePattern('leaseMs', text), ms }));
  return (key) => kinds.find(({ pattern }) => matches(pattern, key))?.ms;
}
