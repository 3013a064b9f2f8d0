/** Reads a scenario file from disk: a regular file of bounded size, as UTF-8 text. */
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearest } from './nearest.ts';
import { type UsageCode, UsageError } from './usage-error.ts';

const LARGEST_BYTES = 1024 * 1024;

/**
 * The text of a scenario file.
 * @throws {@link UsageError} `SCENARIO_MISSING`, `SCENARIO_NOT_A_FILE`, `SCENARIO_TOO_LARGE`, `SCENARIO_NOT_TEXT`.
 */
export function readScenarioText(file: string): string {
  const refuse = (code: UsageCode, message: string, hint?: string) =>
    new UsageError({ code, message, hint, place: { file } });
  let handle: number;
  try {
    // Without O_NONBLOCK the open of a pipe without a writer would wait for ever, before it could be refused.
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    const missing = 'code' in cause && cause.code === 'ENOENT';
    const message = missing
      ? 'There is no such scenario file.'
      : `The scenario file cannot be opened: ${cause.message}.`;
    throw refuse('SCENARIO_MISSING', message, missing ? neighbours(file) : undefined);
  }
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) {
      const kind = stat.isDirectory() ? 'a folder' : 'not a regular file';
      const hint = stat.isDirectory() ? inside(file) : undefined;
      throw refuse('SCENARIO_NOT_A_FILE', `Expected a scenario file in YAML, and this is ${kind}.`, hint);
    }
    if (stat.size > LARGEST_BYTES) {
      const size = `${(stat.size / LARGEST_BYTES).toFixed(1)} MiB`;
      throw refuse(
        'SCENARIO_TOO_LARGE',
        `Expected a scenario file of at most 1 MiB, and this one has ${size}.`,
      );
    }
    const bytes = readAll(handle);
    if (bytes.includes(0))
      throw refuse('SCENARIO_NOT_TEXT', 'Expected a YAML file in UTF-8, and this is binary data.');
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof UsageError || !(cause instanceof Error)) throw cause;
    throw refuse('SCENARIO_NOT_TEXT', 'Expected a YAML file in UTF-8, and this is not UTF-8 text.');
  } finally {
    closeSync(handle);
  }
}

/** Reads no more than the limit, also when the file grows in the meantime. */
function readAll(handle: number): Uint8Array {
  const buffer = Buffer.alloc(LARGEST_BYTES);
  let length = 0;
  for (;;) {
    const read = readSync(handle, buffer, length, buffer.length - length, null);
    length += read;
    if (read === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
}

function yamlFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /\.ya?ml$/.test(name))
      .sort();
  } catch {
    // The folder is missing too, so there is nothing to propose.
    return [];
  }
}

function neighbours(file: string): string {
  const near = nearest(basename(file), yamlFiles(dirname(file)));
  if (near !== undefined) return `Did you mean ${join(dirname(file), near)}?`;
  return '`fencepost scenarios` lists those that come with the package.';
}

function inside(folder: string): string | undefined {
  const files = yamlFiles(folder).slice(0, 5);
  return files.length === 0
    ? undefined
    : `Name a file in it: ${files.map((name) => join(folder, name)).join(', ')}.`;
}
