/** Files that a command is given, looked at before anything opens them. No command turns a foreign file into one of ours. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { EXIT } from './exit.ts';

/** A file that is something else, or not there. */
export class FileError extends Error {
  readonly exit: number;
  constructor(message: string, exit: number) {
    super(message);
    this.name = 'FileError';
    this.exit = exit;
  }
}

const HEADER_BYTES = 72;
const MAGIC = 'SQLite format 3\0';

/** What a file has to be. */
export interface FileKind {
  /** `the file of a board`. */
  readonly what: string;
  readonly applicationId: number;
  /** Which path to pass. */
  readonly hint: string;
}

/**
 * A store makes tables in a database that has none. That is right for a worker, and wrong for somebody who looks.
 *
 * @throws FileError
 */
export function refuseUnless(file: string, { what, applicationId, hint }: FileKind): void {
  const size = sizeOf(file);
  if (size === undefined) {
    throw new FileError(`Expected ${file} to be ${what}, found no such file. Pass ${hint}.`, EXIT.missing);
  }
  if (size === 0) throw foreign(file, what, 'an empty file');
  const header = readHeader(file);
  if (header?.toString('latin1', 0, MAGIC.length) === MAGIC && header.readUInt32BE(68) !== applicationId) {
    throw foreign(file, what, 'a database of something else');
  }
}

function foreign(file: string, what: string, found: string): FileError {
  return new FileError(
    `Expected ${file} to be ${what}, found ${found}. It was not touched: pass another file.`,
    EXIT.foreign,
  );
}

/** Undefined: there is no such file. */
export function sizeOf(file: string): number | undefined {
  try {
    return statSync(file).size;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw unreadable(file, error);
  }
}

/** Undefined: too short, or no regular file. The store says what it is then. */
function readHeader(file: string): Buffer | undefined {
  if (!statSync(file).isFile()) return undefined;
  try {
    const descriptor = openSync(file, 'r');
    try {
      const header = Buffer.alloc(HEADER_BYTES);
      return readSync(descriptor, header, 0, HEADER_BYTES, 0) === HEADER_BYTES ? header : undefined;
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    throw unreadable(file, error);
  }
}

function unreadable(file: string, error: unknown): FileError {
  const said = error instanceof Error ? error.message : String(error);
  return new FileError(`Expected ${file} to be readable, found: ${said}.`, EXIT.failed);
}
