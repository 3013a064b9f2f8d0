/** What SQLite throws, as errors of ours. */
import Database from 'better-sqlite3';
import { FencepostError } from '../../errors.ts';

/** Whether SQLite itself threw it. */
export function isEngineError(error: unknown): boolean {
  return sqliteCode(error) !== undefined;
}

/** Whether the error says that a lock could not be had. SQLITE_PROTOCOL is the same, met in the WAL index. */
export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code.startsWith('SQLITE_BUSY') || code === 'SQLITE_PROTOCOL');
}

/** Whether the error says that the file is damaged or no database. */
export function isCorrupt(error: unknown): boolean {
  const code = sqliteCode(error);
  return code !== undefined && (code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB');
}

/** An error of the engine as ours. Errors that are ours already go through. */
export function engineError(error: unknown, doing: string, definite: boolean): FencepostError {
  if (error instanceof FencepostError) return error;
  const said = error instanceof Error ? error.message : String(error);
  const code = sqliteCode(error) ?? 'unknown error';
  const kind = isCorrupt(error) ? 'STORE_CORRUPT' : 'STORE_FAILED';
  const effect = definite ? 'The call had no effect.' : 'Whether the call had an effect is unknown.';
  return new FencepostError(kind, `${doing} failed: ${said} (${code}). ${effect}`, {
    definite,
    cause: error,
  });
}

/** The store was closed before the call, or while the call waited. */
export function closedError(file: string): FencepostError {
  return new FencepostError(
    'STORE_CLOSED',
    `Expected ${file} to be open, found it closed. The call had no effect.`,
    {
      definite: true,
    },
  );
}

function sqliteCode(error: unknown): string | undefined {
  return error instanceof Database.SqliteError ? error.code : undefined;
}
