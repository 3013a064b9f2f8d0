/** Opens a board's file. A command that looks never makes one, and no command turns a foreign file into one. */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { type BoardConfig, parseBoardConfig } from '../board/config.ts';
import { loadBoardConfig } from '../board/config-file.ts';
import type { Clock } from '../clock.ts';
import { APPLICATION_ID } from '../stores/sqlite/schema.ts';
import { createSqliteStore, type SqliteStore } from '../stores/sqlite/store.ts';
import { EXIT } from './exit.ts';

/** A file that is no board, or not there. */
export class FileError extends Error {
  readonly exit: number;
  constructor(message: string, exit: number) {
    super(message);
    this.name = 'FileError';
    this.exit = exit;
  }
}

/** An open board, and the settings that it is read with. */
export interface BoardFile {
  readonly store: SqliteStore;
  readonly config: BoardConfig;
}

/** Where a board is. */
export interface BoardFileOptions {
  readonly file: string;
  /** A file of settings. */
  readonly config?: string | undefined;
  readonly clock: Clock;
  /** Whether a board is made where there is no file: for commands that work, not for those that look. @default false */
  readonly make?: boolean;
}

/** Opens the file, runs the body, closes the file. */
export async function withBoard<T>(
  options: BoardFileOptions,
  body: (board: BoardFile) => Promise<T>,
): Promise<T> {
  const { file, clock, make = false } = options;
  const config = options.config === undefined ? parseBoardConfig({}) : loadBoardConfig(options.config);
  if (!make || sizeOf(file) !== undefined) refuseUnlessBoard(file);
  const store = await createSqliteStore({ file, clock, items: 'on-demand' });
  try {
    return await body({ store, config });
  } finally {
    await store.close();
  }
}

const HEADER_BYTES = 72;
const MAGIC = 'SQLite format 3\0';

/** The store makes tables in a database that has none. That is right for a worker, and wrong for somebody who looks. */
function refuseUnlessBoard(file: string): void {
  const size = sizeOf(file);
  if (size === undefined) {
    throw new FileError(
      `Expected ${file} to be the file of a board, found no such file. Pass the path that the workers' store was opened with.`,
      EXIT.missing,
    );
  }
  if (size === 0) throw foreign(file, 'an empty file');
  const header = readHeader(file);
  if (header?.toString('latin1', 0, MAGIC.length) === MAGIC && header.readUInt32BE(68) !== APPLICATION_ID) {
    throw foreign(file, 'a database of something else');
  }
}

function foreign(file: string, found: string): FileError {
  return new FileError(
    `Expected ${file} to be the file of a board, found ${found}. It was not touched: pass another file.`,
    EXIT.foreign,
  );
}

function sizeOf(file: string): number | undefined {
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
