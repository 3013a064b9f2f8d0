/**
 * The look at a file before SQLite opens it: opening alone may write (a journal to roll back, a switch to WAL), and a file
 * that is not ours must stay as it is. The schema of our files is committed before they become WAL, so the header in the
 * main file always carries our application id.
 */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import { FencepostError } from '../../errors.ts';
import type { FileFormat } from './format.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
/** Offsets in the header, from the description of the file format. */
const AT = { schemaCookie: 40, userVersion: 60, applicationId: 68 } as const;

/**
 * Lets files pass that are ours, empty, or not there yet.
 *
 * @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`; `STORE_FAILED` when the folder does not exist
 */
export function refuseUnlessOurs(file: string, format: FileFormat): void {
  const folder = dirname(file);
  if (!existsSync(folder)) {
    throw new FencepostError(
      'STORE_FAILED',
      `Expected the folder ${folder} to exist for ${file}. Create it first.`,
      {
        definite: true,
      },
    );
  }
  const header = readHeader(file);
  if (header === undefined || header.length === 0) return;
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw corrupt(file, `an SQLite database, found ${header.length} bytes of something else at its start`);
  }
  const applicationId = header.readUInt32BE(AT.applicationId);
  // A database without tables is as good as an empty file; what a foreign WAL may still hold is looked at later.
  if (applicationId === 0 && header.readUInt32BE(AT.schemaCookie) === 0) return;
  checkIdentity(file, format, applicationId, header.readUInt32BE(AT.userVersion));
}

/**
 * Lets the numbers of our files pass.
 *
 * @throws FencepostError `STORE_FOREIGN`, `STORE_NEWER`, `STORE_CORRUPT`
 */
export function checkIdentity(
  file: string,
  format: FileFormat,
  applicationId: number,
  version: number,
): void {
  if (applicationId !== format.applicationId) {
    throw new FencepostError(
      'STORE_FOREIGN',
      `Expected ${file} to be ${format.what} (application_id ${format.applicationId}), found application_id ${applicationId}. It was not touched: pass another file.`,
      { definite: true },
    );
  }
  if (version > format.version) {
    throw new FencepostError(
      'STORE_NEWER',
      `Expected ${file} to have schema version ${format.version} at most, found ${version}. It was not touched: use the version of Fencepost that wrote it, or a later one.`,
      { definite: true },
    );
  }
  if (version !== format.version) throw corrupt(file, `schema version ${format.version}, found ${version}`);
}

/** The file is damaged. */
export function corrupt(file: string, what: string): FencepostError {
  return new FencepostError(
    'STORE_CORRUPT',
    `Expected ${file} to have ${what}. It was not touched: restore it from a copy, or pass another file.`,
    { definite: true },
  );
}

function readHeader(file: string): Buffer | undefined {
  if (!existsSync(file)) return undefined;
  const descriptor = openSync(file, 'r');
  try {
    if (!fstatSync(descriptor).isFile())
      throw corrupt(file, 'the form of a regular file, found something else');
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(descriptor, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(descriptor);
  }
}
