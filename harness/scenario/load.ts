/** Loads a scenario file: text → YAML with places → overrides → validation → `Scenario`. */
import { basename, dirname, resolve as resolvePath } from 'node:path';
import { OBLIGATION_IDS } from '../obligation/registry.ts';
import { explain } from './explain.ts';
import { keysAt } from './known-keys.ts';
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
  return parseScenario(readScenarioText(path), path, options);
}

/**
 * Reads a scenario from text; `file` is what errors call it, and what paths in it are relative to.
 * @throws {@link UsageError}
 */
export function parseScenario(text: string, file: string, options: LoadOptions = {}): Scenario {
  const overrides = options.overrides ?? [];
  const source = parseSource(text, file, overrides);
  const parsed = validate(source);
  const storeFromFlag = overrides.some((override) => override.path[0] === 'store');
  const context: ResolveContext = {
    name: nameFrom(file),
    folder: dirname(resolvePath(file)),
    storeFolder: storeFromFlag ? (options.cwd ?? process.cwd()) : undefined,
  };
  return resolveScenario(parsed, context);
}

function validate(source: SourceDocument): ScenarioFile {
  const result = scenarioFileSchema.safeParse(source.data);
  if (!result.success) {
    const schema = scenarioJsonSchema();
    const problems = explain(result.error.issues, {
      placeOf: source.placeOf,
      placeOfKey: source.placeOfKey,
      written: source.written,
      keysAt: (path) => keysAt(schema, path),
      codes: { unknownKey: 'SCENARIO_UNKNOWN_KEY', invalid: 'SCENARIO_INVALID_VALUE' },
    });
    throw refused(problems);
  }
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
