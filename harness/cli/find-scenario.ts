/** Scenarios by path, or by name where the package brings one. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The path to load: what was typed, unless it is the bare name of a scenario of the package. */
export function findScenario(typed: string, cwd: string, folder: string): string {
  if (existsSync(join(cwd, typed)) || !/^[\w-]+$/.test(typed)) return typed;
  const packaged = join(folder, `${typed}.yaml`);
  return existsSync(packaged) ? packaged : typed;
}

/** Scenario files of a folder, by name. */
export function scenarioFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(folder, name));
}
