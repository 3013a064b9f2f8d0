/** Checks the `declares` export of a store module against the one schema of declarations. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { explain } from '../scenario/explain.ts';
import { keysAt } from '../scenario/known-keys.ts';
import { describeValue, UsageError, type UsageProblem } from '../scenario/usage-error.ts';
import { type Declares, declaresSchema } from './declares.ts';
import type { StoreModuleRef } from './ref.ts';

/**
 * The declarations with every default filled in; `undefined` declares nothing.
 * @throws {@link UsageError} `STORE_MODULE_DECLARES`, with the nearest known key and the accepted values.
 */
export function checkDeclares(ref: StoreModuleRef, declared: unknown): Declares {
  const result = declaresSchema.safeParse(declared === undefined ? {} : declared);
  if (result.success) return result.data;
  const problems = explainDeclares(result.error, declared, fileURLToPath(ref.url));
  const [first, ...rest] = problems;
  if (first === undefined) throw new TypeError('a failed validation has an issue');
  throw new UsageError([first, ...rest]);
}

/** What is wrong with declarations, a problem for each key. */
export function explainDeclares(error: z.ZodError, declared: unknown, file: string): UsageProblem[] {
  const schema = z.toJSONSchema(declaresSchema, { io: 'input' }) as Readonly<Record<string, unknown>>;
  return explain(error.issues.map(reword), {
    placeOf: (path) => ({ file, path: ['declares', ...path].join('.') }),
    placeOfKey: (path, key) => ({ file, path: ['declares', ...path, key].join('.') }),
    written: (path) => describeValue(path.reduce<unknown>((value, step) => Object(value)[step], declared)),
    keysAt: (path) => keysAt(schema, path),
    prefix: 'declares',
    codes: { unknownKey: 'STORE_MODULE_DECLARES', invalid: 'STORE_MODULE_DECLARES' },
  });
}

/** Says what is accepted, in the words of this package; the schema itself has no texts. */
function reword(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  switch (issue.code) {
    case 'invalid_value':
      return { ...issue, message: oneOf(issue.values) };
    case 'invalid_union':
      return { ...issue, message: "'forever', or a number of milliseconds" };
    case 'invalid_type':
      return { ...issue, message: issue.path.length === 0 ? 'an object' : `a ${issue.expected}` };
    case 'too_small':
      return { ...issue, message: `a number from ${issue.minimum}` };
    case 'too_big':
      return { ...issue, message: `a number up to ${issue.maximum}` };
    default:
      return issue;
  }
}

function oneOf(values: readonly unknown[]): string {
  return `one of ${values.map((value) => `'${String(value)}'`).join(', ')}`;
}
