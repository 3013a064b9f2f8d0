/** The order of verdicts. A verdict is a string that is compared, never a truth value. Pure. */
import { type Reason, VERDICTS, type Verdict } from '../report/results.ts';

/** The worst of them: valid < inconclusive < violated < harness-error. */
export function worst(verdicts: Iterable<Verdict>): Verdict {
  let rank = 0;
  for (const verdict of verdicts) rank = Math.max(rank, VERDICTS.indexOf(verdict));
  return VERDICTS[rank]!;
}

/** Reasons with the worst first; those of one verdict stay in the order in which they were found. */
export const worstFirst = (reasons: readonly Reason[]): Reason[] =>
  [...reasons].sort((a, b) => VERDICTS.indexOf(b.verdict) - VERDICTS.indexOf(a.verdict));

/** Reasons of one code beyond this many are counted, not listed. */
const MAX_PER_CODE = 5;

/** Keeps a report readable when the same thing went wrong in many places. */
export function abridge(reasons: readonly Reason[]): Reason[] {
  const seen = new Map<string, number>();
  const kept: Reason[] = [];
  for (const reason of reasons) {
    const count = (seen.get(reason.code) ?? 0) + 1;
    seen.set(reason.code, count);
    if (count <= MAX_PER_CODE) kept.push(reason);
  }
  return kept.map((reason, i) => {
    const more = seen.get(reason.code)! - MAX_PER_CODE;
    const isLast = kept.findLastIndex((other) => other.code === reason.code) === i;
    return more > 0 && isLast
      ? { ...reason, message: `${reason.message} (and ${more} more like it)` }
      : reason;
  });
}

/** The first few of a list in words: `a, b, c and 4 more`. */
export function firstFew(names: readonly string[], limit = 5): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}
