/** The three measures of a scenario file that need a unit: durations, shares, sizes. Pure. */

/** Accepted forms, in the words of every error message. */
export const DURATION_FORMS =
  'a duration with its unit, from `1ms` to `24h`, such as `150ms`, `12s`, `2m` or `1h`';
/** Accepted forms of a share. */
export const SHARE_FORMS = 'a share from `0%` to `100%`, such as `40%`';
/** Accepted forms of an amount of memory. */
export const SIZE_FORMS =
  'an amount of memory with its unit, from `64MiB` to `64GiB`, such as `512MiB` or `2GiB`';

/** The written form of a duration; JSON Schema shows it to editors. */
export const DURATION_PATTERN = /^(\d{1,9}(?:\.\d{1,6})?) ?(ms|s|m|h)$/;
/** The written form of a share. */
export const SHARE_PATTERN = /^(\d{1,3}(?:\.\d{1,6})?) ?%$/;
/** The written form of an amount of memory. */
export const SIZE_PATTERN = /^(\d{1,6}(?:\.\d{1,6})?) ?(MiB|GiB)$/;

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const LONGEST_MS = 24 * UNIT_MS.h;

/** Whole milliseconds of `150ms`, `12s`, `2m`, `1h`; undefined when the text is none of these or out of range. */
export function parseDuration(text: string): number | undefined {
  const match = DURATION_PATTERN.exec(text);
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]);
  return ms >= 1 && ms <= LONGEST_MS ? ms : undefined;
}

/** The shortest exact form of a duration: `12s`, `150ms`, `2m`. */
export function formatDuration(ms: number): string {
  for (const unit of ['h', 'm', 's'] as const) {
    if (ms >= UNIT_MS[unit] && ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`;
  }
  return `${ms}ms`;
}

/** 0 to 1 of `40%`; undefined when the text is no share. */
export function parseShare(text: string): number | undefined {
  const match = SHARE_PATTERN.exec(text);
  if (match === null) return undefined;
  const share = Number(match[1]) / 100;
  return share <= 1 ? share : undefined;
}

/** Whole MiB of `512MiB`, `2GiB`; undefined when the text is neither or out of range. */
export function parseSize(text: string): number | undefined {
  const match = SIZE_PATTERN.exec(text);
  if (match === null) return undefined;
  const mib = Math.round(Number(match[1]) * (match[2] === 'GiB' ? 1024 : 1));
  return mib >= 64 && mib <= 64 * 1024 ? mib : undefined;
}
