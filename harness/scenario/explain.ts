/** Turns what zod found into problems that name place, value and accepted forms. Pure. */
import type { z } from 'zod';
import { knownNames } from './nearest.ts';
import type { Place, UsageProblem } from './usage-error.ts';

type Issue = z.core.$ZodIssue;

/** What `explain` needs to know about the input that was refused. */
export interface Explained {
  placeOf(path: readonly PropertyKey[]): Place;
  placeOfKey(path: readonly PropertyKey[], key: string): Place;
  written(path: readonly PropertyKey[]): string;
  /** Known keys of the group at a path. */
  keysAt(path: readonly PropertyKey[]): readonly string[];
  /** What a dotted path starts with, for input that is part of something larger. */
  readonly prefix?: string;
  readonly codes: { readonly unknownKey: UsageProblem['code']; readonly invalid: UsageProblem['code'] };
}

/** One problem for each path, in the order of their places. */
export function explain(issues: readonly Issue[], source: Explained): UsageProblem[] {
  const problems = new Map<string, UsageProblem>();
  for (const issue of issues.flatMap((one) => flatten(one, []))) {
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) {
        const name = dotted(source.prefix, [...issue.path, key]);
        problems.set(`unknown ${name}`, {
          code: source.codes.unknownKey,
          message: `Expected a known key, got \`${name}\`.`,
          hint: knownNames(key, source.keysAt(issue.path)),
          place: source.placeOfKey(issue.path, key),
        });
      }
      continue;
    }
    const name = dotted(source.prefix, issue.path);
    const place = source.placeOf(issue.path);
    // A second issue of the same path has the same accepted forms, and so has a second path that one short flag sets
    // (`--duration`): it would say the same once more.
    const isSaid = (said: UsageProblem): boolean => isShort(place.flag) && said.place?.flag === place.flag;
    if (problems.has(name) || [...problems.values()].some(isSaid)) continue;
    problems.set(name, {
      code: source.codes.invalid,
      message: `Expected \`${name}\` to be ${issue.message}, got ${source.written(issue.path)}.`,
      place,
    });
  }
  return [...problems.values()].sort((a, b) => offset(a.place) - offset(b.place));
}

/** A flag of its own, whose text is one value, wherever that goes. */
const isShort = (flag: string | undefined): boolean => flag !== undefined && !flag.startsWith('--set ');

/** Replaces the issue of a union by those of the alternative that fits best: the one whose issues lie deeper. */
function flatten(issue: Issue, base: readonly PropertyKey[]): Issue[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_union') {
    const meant = issue.errors.find((issues) => issues.every(isInside));
    if (meant !== undefined && meant.length > 0) return meant.flatMap((one) => flatten(one, path));
  }
  return [{ ...issue, path }];
}

/** An issue below the root, or about a key of the root: so the value has the right outer shape. */
function isInside(issue: Issue): boolean {
  return issue.path.length > 0 || issue.code === 'unrecognized_keys';
}

/** Comparable place in a file; what came from flags stands before it, in the order found. */
function offset(place: Place | undefined): number {
  return (place?.line ?? 0) * 100_000 + (place?.column ?? 0);
}

function dotted(prefix: string | undefined, path: readonly PropertyKey[]): string {
  return [...(prefix === undefined ? [] : [prefix]), ...path].map(String).join('.');
}
