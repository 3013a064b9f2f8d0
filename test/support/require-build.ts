/**
 * Tests of real processes run what was compiled. This refuses to start them when that is missing or older than the sources:
 * a green test of yesterday's code is worth nothing.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BUILT = 'dist/harness/cli/main.js';
const STAMP = 'dist/.tsbuildinfo';
const SOURCES = ['src', 'harness', 'scenarios', 'tsconfig.json', 'tsconfig.build.json'];

/** Runs once before the tests of the `process` project. */
export function setup(): void {
  const problem = buildProblem('.');
  if (problem !== undefined) throw new Error(problem);
}

/** Why the build cannot be used, and what to do; undefined when it can. */
export function buildProblem(root: string): string | undefined {
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false });
  const stamp = statSync(join(root, STAMP), { throwIfNoEntry: false });
  if (built === undefined || stamp === undefined) {
    return `Expected the compiled package at ${BUILT}, and it is not there. Run \`npm run build\`.`;
  }
  const newest = SOURCES.flatMap((source) => timesBelow(join(root, source))).reduce(
    (before, file) => (file.at > before.at ? file : before),
    { file: '', at: 0 },
  );
  if (newest.at <= stamp.mtimeMs) return undefined;
  return (
    `Expected the compiled package to be newer than the sources, and ${newest.file} was changed after it. ` +
    'Run `npm run build` (if that changes nothing: `rm -r dist && npm run build`).'
  );
}

function timesBelow(path: string): { readonly file: string; readonly at: number }[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return [];
  if (!stat.isDirectory()) return /\.(ts|json)$/.test(path) ? [{ file: path, at: stat.mtimeMs }] : [];
  return readdirSync(path).flatMap((name) => timesBelow(join(path, name)));
}
