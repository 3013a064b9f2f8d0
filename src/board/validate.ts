/** The arguments of the board, checked before anything else. What is refused here was not sent to the store. Pure. */
import { invalidArgument } from '../errors.ts';

/** White space, slashes and glob characters would make a label ambiguous in keys, patterns and views. */
const NOT_IN_A_LABEL = /[\s/*?[\]{}\p{C}]/u;

/** A worker's label: non-empty, without slash, glob character or white space. */
export function checkLabel(name: string, label: unknown): string {
  if (isLabel(label)) return label;
  throw invalidArgument(name, 'a label without slash, glob character or white space', label);
}

/** Whether a text may be a label. */
export function isLabel(label: unknown): label is string {
  return typeof label === 'string' && label !== '' && !NOT_IN_A_LABEL.test(label);
}

/** A duration in ms: finite and greater than 0. 0 is no way to say "default". */
export function checkDuration(name: string, ms: unknown): number {
  if (typeof ms === 'number' && Number.isFinite(ms) && ms > 0) return ms;
  throw invalidArgument(name, 'a finite number of ms > 0', ms);
}

/** A whole number that is not less than `min`. */
export function checkWhole(name: string, value: unknown, min: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min) return value;
  throw invalidArgument(name, `an integer >= ${min}`, value);
}

/** An instant on the store's clock. 0 is one. */
export function checkInstant(name: string, ms: unknown): number {
  if (typeof ms === 'number' && Number.isFinite(ms)) return ms;
  throw invalidArgument(name, 'a finite instant in ms', ms);
}
