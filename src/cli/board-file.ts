/** Opens a board's file. A command that looks never makes one, and no command turns a foreign file into one. */
import { type BoardConfig, parseBoardConfig } from '../board/config.ts';
import { loadBoardConfig } from '../board/config-file.ts';
import type { Clock } from '../clock.ts';
import { APPLICATION_ID } from '../stores/sqlite/schema.ts';
import { createSqliteStore, type SqliteStore } from '../stores/sqlite/store.ts';
import { refuseUnless, sizeOf } from './file.ts';

const BOARD = {
  what: 'the file of a board',
  applicationId: APPLICATION_ID,
  hint: "the path that the workers' store was opened with",
};

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
  if (!make || sizeOf(file) !== undefined) refuseUnless(file, BOARD);
  const store = await createSqliteStore({ file, clock, items: 'on-demand' });
  try {
    return await body({ store, config });
  } finally {
    await store.close();
  }
}
