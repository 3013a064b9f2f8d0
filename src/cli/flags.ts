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
