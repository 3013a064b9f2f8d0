/** What `check` is asked to judge: the history files behind the paths that the user named, or why there are none. */
import { existsSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { historyFiles } from '../history/directory-reader.ts';
import { type FirstRecord, firstRecord } from '../history/first-record.ts';
import { UsageError } from '../scenario/usage-error.ts';

export interface CheckPaths {
  /** Every file once, the supervisor's first. */
  readonly files: readonly string[];
  readonly bytes: number;
  /** The files are those of a run directory, which has a supervisor's file. */
  readonly expectsRun: boolean;
  /** Stands in for the run's id where there is no run. */
  readonly runId: string;
  /** The first record of the supervisor's file, where there is one. */
  readonly run: FirstRecord | undefined;
}

interface Found {
  readonly path: string;
  /** The user named this very file. */
  readonly isNamed: boolean;
}

/** @throws a UsageError for what is no history, before anything of it is judged. */
export function checkPaths(named: readonly string[]): CheckPaths {
  const found = named.flatMap(filesAt);
  // The same file named twice is read once.
  const unique = [...new Map(found.map((file) => [realpathSync(file.path), file])).values()];
  const looked = unique.map((file) => ({ ...file, first: look(file.path) }));
  for (const { path, isNamed, first } of looked)
    if (isNamed && 'instead' in first) throw noHistory(path, first.instead);
  const known = looked.flatMap(({ path, first }) => ('instead' in first ? [] : [{ path, first }]));
  const [one] = looked;
  if (known.length === 0 && one && 'instead' in one.first) throw noHistory(one.path, one.first.instead);
  if (named.length > 1) refuseMixed(known);
  const run = known.find(({ first }) => first.type === 'run');
  const others = unique.filter(({ path }) => path !== run?.path).map(({ path }) => path);
  return {
    files: run === undefined ? others : [run.path, ...others],
    bytes: unique.reduce((sum, { path }) => sum + statSync(path).size, 0),
    expectsRun: named.some(isRunDirectory),
    runId: basename(resolve(named[0] ?? '.')),
    run: run?.first,
  };
}

function filesAt(path: string): Found[] {
  const stat = statOf(path);
  if (stat.isFile()) return [{ path, isNamed: true }];
  if (!stat.isDirectory()) throw noHistory(path, `it is ${kindOf(stat)}`);
  const history = join(path, 'history');
  const folder = statSync(history, { throwIfNoEntry: false })?.isDirectory() ? history : path;
  const files = readable(folder, historyFiles);
  if (files.length === 0) throw noHistory(path, 'it holds no `.ndjson` file');
  for (const file of files) {
    const inside = statOf(file);
    if (!inside.isFile()) throw noHistory(file, `it is ${kindOf(inside)}`);
  }
  return files.map((file) => ({ path: file, isNamed: false }));
}

function statOf(path: string): Stats {
  const stat = readable(path, (at) => statSync(at, { throwIfNoEntry: false }));
  if (!stat) throw noHistory(path, 'there is nothing there');
  return stat;
}

const look = (path: string): ReturnType<typeof firstRecord> => readable(path, firstRecord);

function kindOf(stat: Stats): string {
  if (stat.isDirectory()) return 'a folder';
  if (stat.isFIFO()) return 'a pipe';
  if (stat.isSocket()) return 'a socket';
  return 'a device';
}

/** What the file system refuses (rights, a loop of links) is told as it says it. */
function readable<T>(path: string, read: (path: string) => T): T {
  try {
    return read(path);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw noHistory(path, `it cannot be read (${code ?? message})`);
  }
}

/** Stamps and numbers of two runs mean nothing to one another. */
function refuseMixed(files: readonly { readonly path: string; readonly first: FirstRecord }[]): void {
  const supervisors = files.filter(({ first }) => first.type === 'run');
  const [one, two] = supervisors;
  if (one && two) {
    throw mixed(
      `Expected the history of one run, got two supervisor files: \`${one.path}\` and \`${two.path}\`.`,
    );
  }
  const told = files.filter(({ first }) => first.run !== undefined);
  const other = told.find(({ first }) => first.run !== told[0]?.first.run);
  if (told[0] === undefined || other === undefined) return;
  throw mixed(
    `Expected the history of one run, got \`${told[0].path}\` of the run \`${told[0].first.run}\` and \`${other.path}\` of the run \`${other.first.run}\`.`,
  );
}

const mixed = (message: string): UsageError =>
  new UsageError({ code: 'RUN_DIRECTORY', message, hint: 'Check each run by itself.' });

/** A folder that a run made: it, or the one above, holds the resolved scenario. */
const isRunDirectory = (path: string): boolean =>
  ['.', '..'].some((at) => existsSync(join(path, at, 'scenario.resolved.yaml'))) &&
  statSync(path).isDirectory();

const noHistory = (path: string, why: string): UsageError =>
  new UsageError({
    code: 'RUN_DIRECTORY',
    message: `Expected a run directory or history files at \`${path}\`, and ${why}.`,
    hint: 'Name a run directory such as `reports/latest`, its `history` folder, or `.ndjson` files (docs/history-format.md).',
  });
