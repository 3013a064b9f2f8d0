/** A store answered with something that the contract does not allow. */
import { describeValue } from '../scenario/usage-error.ts';

/**
 * The answer of a store has the wrong shape. Not `definite`: the call may have had its effect, so it is recorded as
 * `info`, and the run is at best inconclusive.
 */
export class ShapeError extends Error {
  /** Method of the contract, `claim`. */
  readonly op: string;
  /** Path of the wrong field within the answer, `value.generation`; empty for the answer itself. */
  readonly field: string;

  constructor(op: string, field: string, expected: string, got: unknown) {
    const subject = field === '' ? `${op}()` : `${op}() \`${field}\``;
    const verb = field === '' ? 'must answer' : 'must be';
    super(`${subject} ${verb} ${expected}, got ${describeAnswer(got)}`);
    this.name = 'ShapeError';
    this.op = op;
    this.field = field;
  }
}

/** As in other messages, but an object shows its keys: that is where the mistake is. */
function describeAnswer(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return describeValue(value);
  const keys = Object.keys(value);
  const shown = keys.length > 6 ? [...keys.slice(0, 6), '…'] : keys;
  return keys.length === 0 ? 'an object without keys' : `{ ${shown.join(', ')} }`;
}
