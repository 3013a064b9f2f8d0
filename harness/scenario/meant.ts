/** What somebody probably meant who left out a unit or wrote it in another way. Only what would be accepted is proposed. Pure. */
import { DURATION_FORMS, parseDuration, parseShare, parseSize, SHARE_FORMS, SIZE_FORMS } from './duration.ts';

const NUMBER_AND_UNIT = /^(\d+(?:\.\d+)?)\s*([a-zA-Z%]*)\.?$/;

const DURATION_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(ms|msecs?|millis?|milliseconds?)$/i, 'ms'],
  [/^(s|secs?|seconds?)$/i, 's'],
  [/^(m|mins?|minutes?)$/i, 'm'],
  [/^(h|hrs?|hours?)$/i, 'h'],
];
const SIZE_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(m|mb|mib)$/i, 'MiB'],
  [/^(g|gb|gib)$/i, 'GiB'],
];

/** Accepted texts for a value that was refused with these `forms`; none where nothing near it would do. */
export function meant(forms: string, value: unknown): readonly string[] {
  const match = NUMBER_AND_UNIT.exec(String(value).trim());
  if ((typeof value !== 'number' && typeof value !== 'string') || match === null) return [];
  const [, number = '', unit = ''] = match;
  switch (forms) {
    case DURATION_FORMS:
      return written(number, unit, DURATION_UNITS, ['ms', 's']).filter(
        (text) => parseDuration(text) !== undefined,
      );
    case SIZE_FORMS:
      return written(number, unit, SIZE_UNITS, ['MiB', 'GiB']).filter(
        (text) => parseSize(text) !== undefined,
      );
    case SHARE_FORMS: {
      if (unit !== '') return [];
      const share = Number(number) <= 1 ? Number((Number(number) * 100).toFixed(4)) : Number(number);
      return [`${share}%`].filter((text) => parseShare(text) !== undefined);
    }
    default:
      return [];
  }
}

/** The number with the unit that was meant; with the usual ones where there was none. */
function written(
  number: string,
  unit: string,
  units: readonly (readonly [RegExp, string])[],
  usual: readonly string[],
): string[] {
  if (unit === '') return usual.map((one) => number + one);
  return units.filter(([pattern]) => pattern.test(unit)).map(([, own]) => number + own);
}
