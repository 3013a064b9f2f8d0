/** Loads a scenario file: text → YAML with places → overrides → validation → `Scenario`. */
import { basename, dirname, resolve as resolvePath } from 'node:path';
import { OBLIGATION_IDS } from '../obligation/registry.ts';
import type { ScenarioSource } from './concern-place.ts';
import { type Explained, explain, unknownKey } from './explain.ts';
import { keysAt, pathsOf } from './known-keys.ts';
import { knownNames } from './nearest.ts';
import { readScenarioText } from './read-file.ts';
import { type ResolveContext, resolveScenario } from './resolve.ts';
import type { Scenario } from './scenario.ts';
import { type ScenarioFile, scenarioFileSchema, scenarioJsonSchema } from './schema.ts';
import type { Override } from './set.ts';
import { UsageError, type UsageProblem } from './usage-error.ts';
import { parseSource, type SourceDocument } from './yaml-document.ts';

/** How a scenario is loaded. */
export interface LoadOptions {
  /** Values of flags, put over those of the file. Default: none. */
  readonly overrides?: readonly Override[];
  /** Folder for a store path that a flag gave. Default: the working directory of the process. */
  readonly cwd?: string;
}

/**
 * Reads a scenario file.
 * @throws {@link UsageError} with place, value and accepted forms of everything that is wrong.
 */
export function loadScenario(path: string, options: LoadOptions = {}): Scenario {
  return readScenario(path, options).scenario;
}

/** A scenario, and where each of its values was set. */
export interface ReadScenario {
  readonly scenario: Scenario;
  readonly source: ScenarioSource;
}

/**
 * Reads a scenario file, and keeps the places of what stands in it for those who refuse it later.
 * @throws {@link UsageError} as `loadScenario` does.
 */
export function readScenario(path: string, options: LoadOptions = {}): ReadScenario {
  return read(readScenarioText(path), path, options);
}

/**
 * Reads a scenario from text; `file` is what errors call it, and what paths in it are relative to.
 * @throws {@link UsageError}
 */
export function parseScenario(text: string, file: string, options: LoadOptions = {}): Scenario {
  return read(text, file, options).scenario;
}

function read(text: string, file: string, options: LoadOptions): ReadScenario {
  const overrides = options.overrides ?? [];
  const source = parseSource(text, file, overrides);
  const parsed = validate(source);
  const storeFromFlag = overrides.some((override) => override.path[0] === 'store');
  const context: ResolveContext = {
    name: nameFrom(file),
    folder: dirname(resolvePath(file)),
    storeFolder: storeFromFlag ? (options.cwd ?? process.cwd()) : undefined,
  };
  return { scenario: resolveScenario(parsed, context), source: { file, placeIfSet: source.placeIfSet } };
}

function validate(source: SourceDocument): ScenarioFile {
  const schema = scenarioJsonSchema();
  const explained = {
    placeOf: source.placeOf,
    placeOfKey: source.placeOfKey,
    written: source.written,
    valueAt: source.valueAt,
    keysAt: (path: readonly PropertyKey[]) => keysAt(schema, path),
    elsewhere: (key: string) => pathsOf(schema).filter((path) => path.endsWith(`.${key}`)),
    codes: { unknownKey: 'SCENARIO_UNKNOWN_KEY', invalid: 'SCENARIO_INVALID_VALUE' },
  } as const;
  // The schema library passes over `__proto__`, which would then be dropped without a word.
  const hidden = protoKeys(source.data, [], explained.keysAt).map((path) =>
    unknownKey(path, '__proto__', explained),
  );
  if (hidden.length > 0) throw refused(hidden);
  const result = scenarioFileSchema.safeParse(source.data);
  if (!result.success) throw refused(explain(result.error.issues, explained));
  const unknown = Object.keys(result.data.obligations).filter((id) => !OBLIGATION_IDS.includes(id));
  const problems = unknown.map(
    (id): UsageProblem => ({
      code: 'SCENARIO_UNKNOWN_KEY',
      message: `Expected the id of an obligation, got \`${id}\`.`,
      hint: knownNames(id, OBLIGATION_IDS),
      place: source.placeOfKey(['obligations'], id),
    }),
  );
  if (problems.length > 0) throw refused(problems);
  return result.data;
}

/** Paths of the groups with such a key. Only groups that the schema knows are looked into: an alias may lead in a circle. */
function protoKeys(
  value: unknown,
  path: readonly string[],
  keysOf: Explained['keysAt'],
): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  const group = value as Readonly<Record<string, unknown>>;
  const below = keysOf(path).filter((key) => Object.hasOwn(group, key));
  return [
    ...(Object.hasOwn(group, '__proto__') ? [path] : []),
    ...below.flatMap((key) => protoKeys(group[key], [...path, key], keysOf)),
  ];
}

function refused(problems: readonly UsageProblem[]): UsageError {
  const [first, ...rest] = problems;
  if (first === undefined) throw new TypeError('a refusal needs a problem');
  return new UsageError([first, ...rest]);
}

/** The file's name without its ending, made fit for a folder. */
function nameFrom(file: string): string {
  const stem = basename(file)
    .replace(/\.ya?ml$/i, '')
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '');
  return stem.slice(0, 64) || 'scenario';
}
