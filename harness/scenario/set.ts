/** Values that flags put over those of the scenario file: `--set phases.main.min=3s`, `--workers 8`. */
import { parseDocument } from 'yaml';
import { UsageError } from './usage-error.ts';

/** One value from a flag. Applied to the parsed document before validation, so it meets the same rules as the file. */
export interface Override {
  readonly path: readonly string[];
  readonly value: unknown;
  /** The flag as typed, named by every error about this value. */
  readonly flag: string;
}

const FORMS = '`--set path=value`, such as `--set phases.main.min=3s` or `--set faults=off`';

/**
 * Reads one `--set path=value`. The value is YAML: `12s`, `8`, `off`, `{ p50: 5ms, p95: 9ms }`.
 * @throws {@link UsageError} `COMMAND_LINE` when there is no path, no `=`, or the value is not YAML.
 */
export function parseSet(text: string): Override {
  const flag = `--set ${text}`;
  const equals = text.indexOf('=');
  const path = splitPath(text.slice(0, Math.max(0, equals)).trim());
  if (equals < 1 || path.some((step) => step === '')) {
    throw new UsageError({
      code: 'COMMAND_LINE',
      message: `Expected ${FORMS}, got \`${text}\`.`,
      place: { flag },
    });
  }
  return { path, value: parseValue(text.slice(equals + 1), flag), flag };
}

/** Obligation ids hold a dot of their own: everything after `obligations.` is one key. */
function splitPath(path: string): readonly string[] {
  const steps = path.split('.');
  return steps[0] === 'obligations' && steps.length > 1 ? ['obligations', steps.slice(1).join('.')] : steps;
}

function parseValue(text: string, flag: string): unknown {
  try {
    const document = parseDocument(text, { logLevel: 'error' });
    const error = document.errors[0] ?? document.warnings[0];
    if (error !== undefined) throw error;
    return document.toJS();
  } catch (cause) {
    const problem = {
      code: 'COMMAND_LINE',
      message: `Expected a YAML value after \`=\`, got \`${text}\`.`,
      hint: `Accepted: ${FORMS}.`,
      place: { flag },
    } as const;
    throw new UsageError(problem, { cause });
  }
}
