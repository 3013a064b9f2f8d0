/** The folder that run directories are made in: tried before anything starts. */
import { existsSync, mkdirSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../scenario/usage-error.ts';

/**
 * Makes a folder in it and takes it away again, with every folder that had to be made for that: nothing is left of a try.
 * @throws {@link UsageError} `RUN_DIRECTORY` when it is a file, cannot be made, or cannot be written to.
 */
export function assertOutFolder(out: string): void {
  if (out.trim() === '') {
    throw new UsageError({
      code: 'RUN_DIRECTORY',
      message: 'Expected `--out` to name a folder, got an empty text.',
      hint: 'Name one, such as `--out reports`, or leave the flag out.',
      place: { flag: `--out '${out}'` },
    });
  }
  const folder = resolve(out);
  const made: string[] = [];
  try {
    for (const path of missing(folder)) {
      mkdirSync(path);
      made.push(path);
    }
    rmdirSync(mkdtempSync(join(folder, '.try-')));
  } catch (error) {
    throw refusedFolder(out, error);
  } finally {
    removeEmpty(made.reverse());
  }
}

/**
 * The folders that are not there yet, outermost first. One by one, since `mkdir` with `recursive` never returns where the kernel
 * answers ENOENT below a folder that is there (`/proc/x`).
 */
function missing(folder: string): string[] {
  const paths: string[] = [];
  for (let at = folder; !existsSync(at) && dirname(at) !== at; at = dirname(at)) paths.unshift(at);
  return paths;
}

/** The folder cannot be used, in the words of the operating system. */
export function refusedFolder(out: string, error: unknown): UsageError {
  const said = error instanceof Error ? error.message : String(error);
  return new UsageError(
    {
      code: 'RUN_DIRECTORY',
      message: `Expected to make a run directory below \`${out}\`, got: ${said}`,
      hint: 'Name a folder that can be written to, and has room, with `--out`.',
    },
    { cause: error },
  );
}

/** Empty folders only: somebody else may have put something into them meanwhile. */
function removeEmpty(folders: readonly string[]): void {
  try {
    for (const folder of folders) rmdirSync(folder);
  } catch {
    // Not empty any more.
  }
}
