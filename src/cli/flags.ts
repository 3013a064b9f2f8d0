/** How values of flags are read. */
import { InvalidArgumentError } from 'commander';

/** A whole number that is not less than `min`. */
export function readWhole(min: number) {
  return (text: string): number => {
    const number = Number(text);
    if (/^\d{1,15}$/.test(text) && number >= min) return number;
    throw new InvalidArgumentError(`Expected a whole number >= ${min}.`);
  };
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `90s`, `36h`, `7d` in ms. */
export function readAge(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw new InvalidArgumentError('Expected a whole number with s, m, h or d behind it, such as 7d.');
}
