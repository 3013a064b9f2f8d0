/** Wrong input by the user: refused before anything starts, without a stack, with place, value and accepted forms. */

/** Every code of a `UsageError` with the sentence that the docs show. */
export const USAGE_CODES = {
  COMMAND_LINE: 'A command, flag or argument is unknown, missing or has a value that cannot be read.',
  SCENARIO_MISSING: 'The scenario file does not exist or cannot be opened.',
  SCENARIO_NOT_A_FILE: 'The scenario path names a folder or another thing that is not a regular file.',
  SCENARIO_TOO_LARGE: 'The scenario file is larger than 1 MiB.',
  SCENARIO_NOT_TEXT: 'The scenario file is not UTF-8 text.',
  SCENARIO_EMPTY: 'The scenario file holds no key.',
  SCENARIO_SYNTAX: 'The scenario file is not YAML, or its top level is not a map of keys.',
  SCENARIO_DUPLICATE_KEY: 'A key stands twice in the same map of the scenario file.',
  SCENARIO_UNKNOWN_KEY: 'A key of the scenario file is not known.',
  SCENARIO_INVALID_VALUE: 'A value of the scenario file has the wrong type, unit or range.',
  SCENARIO_NOT_FEASIBLE: 'The scenario cannot produce the evidence that a verdict needs.',
  STORE_UNKNOWN: 'The store is neither a built-in name, a known mutant nor the path of a module.',
  STORE_MODULE_MISSING: 'The store module, or something that it imports, does not exist.',
  STORE_MODULE_TYPESCRIPT: 'The store module is TypeScript and this Node cannot load it.',
  STORE_MODULE_IMPORT: 'The store module threw while it was imported, or did not finish in time.',
  STORE_MODULE_EXPORTS: 'An export of the store module is missing, misspelt or has the wrong type.',
  STORE_MODULE_DECLARES: 'The declarations of the store module have an unknown key or a wrong value.',
  STORE_PROBE: 'The store did not pass the probe that runs before any worker starts.',
  RUN_DIRECTORY: 'The run directory cannot be made, or is not one.',
  MUTANT_UNKNOWN: 'No mutant has this id.',
} as const;

/** A stable code of wrong input. */
export type UsageCode = keyof typeof USAGE_CODES;

/** Where the wrong input stands: in a file, behind a flag, or both a path and one of them. */
export interface Place {
  readonly file?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  /** 1-based. */
  readonly column?: number | undefined;
  /** Dotted path of the key, `phases.main.min`. */
  readonly path?: string | undefined;
  /** The flag as typed, `--set workers=abc`. */
  readonly flag?: string | undefined;
}

/** One thing that is wrong: what was expected, what was got, what to do. */
export interface UsageProblem {
  readonly code: UsageCode;
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string | undefined;
  readonly place?: Place | undefined;
}

/**
 * Wrong input. It may carry several problems, since a person prefers to hear all of them at once; `code`, `hint` and
 * `place` are those of the first.
 */
export class UsageError extends Error {
  readonly problems: readonly [UsageProblem, ...UsageProblem[]];
  readonly code: UsageCode;
  readonly hint: string | undefined;
  readonly place: Place | undefined;

  constructor(
    problems: UsageProblem | readonly [UsageProblem, ...UsageProblem[]],
    options?: { cause?: unknown },
  ) {
    const list = 'code' in problems ? ([problems] as const) : problems;
    super(list.map(formatProblem).join('\n'), options);
    this.name = 'UsageError';
    this.problems = list;
    this.code = list[0].code;
    this.hint = list[0].hint;
    this.place = list[0].place;
  }
}

/** `file:line:column  message`, the hint on a line of its own. */
export function formatProblem(problem: UsageProblem): string {
  const where = formatPlace(problem.place);
  const head = where === '' ? problem.message : `${where}  ${problem.message}`;
  return problem.hint === undefined ? head : `${head}\n    ${problem.hint}`;
}

/** `file:line:column`, or the flag; empty when neither is known. Editors and terminals make the former clickable. */
export function formatPlace(place: Place | undefined): string {
  if (place === undefined) return '';
  if (place.flag !== undefined) return place.flag;
  if (place.file === undefined) return '';
  if (place.line === undefined) return place.file;
  return `${place.file}:${place.line}:${place.column ?? 1}`;
}

/** What was got, short enough for one line: `"30 sec." (string)`, `-5 (number)`, `null`, `a list`. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `${JSON.stringify(shorten(value))} (string)`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return `${shorten(String(value))} (${typeof value})`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
