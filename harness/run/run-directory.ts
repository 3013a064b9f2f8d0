/** The folder of one run: what lies where, and `reports/latest` beside it. */
import { mkdirSync, openSync, renameSync, rmdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release, totalmem } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stringify } from 'yaml';
import type { Scenario } from '../scenario/scenario.ts';
import { VERSION } from '../version.ts';
import { refusedFolder } from './out-folder.ts';

export interface RunDirectory {
  readonly path: string;
  /** `TIME-SEED`: names the run. */
  readonly run: string;
  readonly history: string;
  /** Where embedded stores keep their files. */
  readonly store: string;
  /** Takes what the child processes print. */
  readonly logFd: number;
}

/** Makes `OUT/SCENARIO/TIME-SEED/` with everything that is known before the run starts. */
export function makeRunDirectory(out: string, scenario: Scenario, seed: number): RunDirectory {
  let path: string | undefined;
  try {
    const made = freshFolder(join(out, scenario.name), seed);
    path = made.path;
    const history = join(path, 'history');
    // A file system that is to be filled holds the store, and nothing else of the run.
    const small = scenario.faults?.options['disk-full'].folder;
    const store = small === undefined ? join(path, 'store') : join(small, made.run);
    mkdirSync(history);
    mkdirSync(store, { recursive: true });
    writeFileSync(join(path, 'scenario.resolved.yaml'), stringify({ seed, ...scenario }));
    writeFileSync(join(path, 'environment.json'), `${JSON.stringify(environment(), null, 2)}\n`);
    return { ...made, history, store, logFd: openSync(join(path, 'workers.log'), 'a') };
  } catch (error) {
    if (path !== undefined) discardRunDirectory({ path });
    throw refusedFolder(out, error);
  }
}

function freshFolder(parent: string, seed: number): { path: string; run: string } {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace(/\..*/, '');
  mkdirSync(parent, { recursive: true });
  for (let i = 0; ; i++) {
    const run = i === 0 ? `${time}-${seed}` : `${time}-${seed}.${i}`;
    try {
      mkdirSync(join(parent, run));
      return { path: join(parent, run), run };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** Removes a run that never started, and the folder of its scenario when it was the only one. */
export function discardRunDirectory({ path }: Pick<RunDirectory, 'path'>): void {
  rmSync(path, { recursive: true, force: true });
  try {
    rmdirSync(dirname(path));
  } catch {
    // Other runs are in it.
  }
}

/** Points `OUT/latest` at the run; where links are not to be had, there is none. */
export function linkLatest(out: string, path: string): void {
  const link = join(out, 'latest');
  const fresh = `${link}.${process.pid}`;
  try {
    // In one step: another run that starts now must not find the place empty.
    symlinkSync(relative(out, path), fresh);
    renameSync(fresh, link);
  } catch {
    // A convenience only.
    rmSync(fresh, { force: true });
  }
}

function environment(): Readonly<Record<string, unknown>> {
  return {
    fencepost: VERSION,
    node: process.version,
    platform: platform(),
    arch: arch(),
    kernel: release(),
    cpus: cpus().length,
    cpu: cpus()[0]?.model ?? 'unknown',
    memoryMib: Math.round(totalmem() / 2 ** 20),
  };
}
