/** Paths as a person would type them here. Pure. */
import { isAbsolute, relative } from 'node:path';

/** Relative to the working directory where the path lies below it, behind `prefix`; else as it is. */
export function shown(path: string, cwd: string, prefix = ''): string {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : `${prefix}${short}`;
}
