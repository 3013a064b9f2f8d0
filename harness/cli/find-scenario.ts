/** Scenarios by path, or by name where the package brings one. */
import { readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { knownNames, nearest } from '../scenario/nearest.ts';
import { UsageError } from '../scenario/usage-error.ts';

/**
 * The path to load: what was typed, unless it is the bare name of a scenario of the package. A file goes before the package's
 * scenario of that name; a folder does not, since no scenario can be read from it.
 * @throws {@link UsageError} `SCENARIO_MISSING` with the nearest name, where there is neither.
 */
export function findScenario(typed: string, cwd: string, folder: string): string {
  const there = statSync(resolve(cwd, typed), { throwIfNoEntry: false });
  if (there !== undefined && !there.isDirectory()) return typed;
  const names = scenarioFiles(folder).map(nameOf);
  if (names.includes(typed)) return join(folder, `${typed}.yaml`);
  if (there !== undefined) return typed;
  const packaged = nearest(nameOf(typed), names);
  // A path to a file that has neighbours is told of those by whoever reads it.
  if (!/^[\w-]+$/.test(typed) && packaged === undefined) return typed;
  throw new UsageError({
    code: 'SCENARIO_MISSING',
    message: 'There is no such scenario file.',
    hint: `${knownNames(nameOf(typed), names).replace('Known:', 'The package brings:')} Or name a file.`,
    place: { file: typed },
  });
}

/** Scenario files of a folder, by name. */
export function scenarioFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}

/** `kill-mid-lease` of its path. */
const nameOf = (path: string): string => basename(path).replace(/\.ya?ml$/i, '');
