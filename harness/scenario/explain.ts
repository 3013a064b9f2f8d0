/** Turns what zod found into problems that name place, value and accepted forms. Pure. */
import type { z } from 'zod';
import { meant } from './meant.ts';
import { knownNames, nearest } from './nearest.ts';
import type { Place, UsageProblem } from './usage-error.ts';

type Issue = z.core.$ZodIssue;

/** What `explain` needs to know about the input that was refused. */
export interface Explained {
  placeOf(path: readonly PropertyKey[]): Place;
  placeOfKey(path: readonly PropertyKey[], key: string): Place;
  written(path: readonly PropertyKey[]): string;
  /** The value itself, for a guess at what was meant. Left out: nothing is guessed. */
  valueAt?(path: readonly PropertyKey[]): unknown;
  /** Dotted paths elsewhere that end with this key. */
  elsewhere?(key: string): readonly string[];
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
        const problem = unknownKey(issue.path, key, source);
        problems.set(problem.message, problem);
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
      hint: guess(issue, source.valueAt?.(issue.path)),
      place,
    });
  }
  return [...problems.values()].sort((a, b) => offset(a.place) - offset(b.place));
}

/** A key that its group does not know, with the nearest that it does; or with where a key of this name does stand. */
export function unknownKey(path: readonly PropertyKey[], key: string, source: Explained): UsageProblem {
  const name = dotted(source.prefix, [...path, key]);
  const known = source.keysAt(path);
  const elsewhere = source.elsewhere?.(key) ?? [];
  const isNear = nearest(key, known) !== undefined && elsewhere.length === 0;
  const others = elsewhere.slice(0, 3).map((one) => `\`${one}\``);
  return {
    code: source.codes.unknownKey,
    message: `Expected a known key, got \`${name}\`.`,
    hint: isNear || others.length === 0 ? knownNames(key, known) : `Did you mean ${others.join(' or ')}?`,
    place: source.placeOfKey(path, key),
  };
}

/** What was probably meant, where that can be said. */
function guess(issue: Issue, value: unknown): string | undefined {
  const near =
    issue.code === 'invalid_value' && typeof value === 'string'
      ? [nearest(value, issue.values.map(String)) ?? []].flat()
      : meant(issue.message, value);
  return near.length === 0 ? undefined : `Did you mean ${near.map((text) => `\`${text}\``).join(' or ')}?`;
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
