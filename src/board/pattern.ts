/**
 * Patterns over keys, segment by segment: `*` stands for one whole, non-empty segment, everything else for itself. So
 * `facts/*` matches `facts/pricing`, and neither `facts/` nor `facts/a/b`. Pure.
 */
import { invalidArgument } from '../errors.ts';

/** A pattern in its segments. */
export interface Pattern {
  readonly text: string;
  readonly segments: readonly string[];
}

/**
 * Reads a pattern.
 *
 * @throws FencepostError `INVALID_ARGUMENT`: not a text, an empty segment, or a star that is only part of a segment
 */
export function parsePattern(name: string, text: unknown): Pattern {
  const segments = typeof text === 'string' ? text.split('/') : [];
  if (segments.length > 0 && segments.every(isSegmentPattern)) return { text: text as string, segments };
  throw invalidArgument(
    name,
    'a pattern of non-empty segments, each a name or a single star, such as "facts/*"',
    text,
  );
}

/** Whether a text is a pattern. */
export function isPattern(text: string): boolean {
  return text.split('/').every(isSegmentPattern);
}

function isSegmentPattern(segment: string): boolean {
  return segment === '*' || (segment !== '' && !segment.includes('*'));
}

/** Whether the pattern matches the whole key. */
export function matches(pattern: Pattern, key: string): boolean {
  const segments = key.split('/');
  return (
    segments.length === pattern.segments.length &&
    segments.every((segment, i) => segment !== '' && isMatch(pattern.segments[i], segment))
  );
}

const isMatch = (wanted: string | undefined, segment: string): boolean =>
  wanted === '*' || wanted === segment;

/** What every key of the pattern starts with: the ground for a listing. */
export function literalPrefix({ segments }: Pattern): string {
  const star = segments.indexOf('*');
  return star < 0
    ? segments.join('/')
    : segments
        .slice(0, star)
        .map((segment) => `${segment}/`)
        .join('');
}

/** The fewest prefixes that cover all keys of the patterns. */
export function coveringPrefixes(patterns: readonly Pattern[]): readonly string[] {
  const prefixes = [...new Set(patterns.map(literalPrefix))];
  return prefixes.filter((prefix) => !prefixes.some((other) => other !== prefix && prefix.startsWith(other)));
}
