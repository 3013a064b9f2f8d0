/** Exit codes of `blackboard`: one table, stable, after sysexits where that has one. */
import type { ErrorCode } from '../errors.ts';

export const EXIT = {
  done: 0,
  /** The board said no: a legal request that the state does not allow. */
  refused: 1,
  /** Refused before anything was opened. */
  usage: 64,
  /** The file is damaged, or no database. */
  corrupt: 65,
  /** There is no such file. */
  missing: 66,
  /** The file belongs to something else. */
  foreign: 67,
  /** The file was written by a newer version. */
  newer: 68,
  /** The file cannot be read or written. */
  failed: 69,
  /** An error of the command itself. */
  internal: 70,
  /** Others held the file for too long; try again. */
  busy: 75,
  /** Ctrl-C: how `watch` ends. */
  SIGINT: 130,
  SIGTERM: 143,
} as const;

/** What errors of the core mean for the exit; the others are failures of the file. */
export const EXIT_OF: Partial<Record<ErrorCode, number>> = {
  STORE_CORRUPT: EXIT.corrupt,
  STORE_FOREIGN: EXIT.foreign,
  STORE_NEWER: EXIT.newer,
  STORE_BUSY: EXIT.busy,
  BOARD_CONFIG: EXIT.usage,
  INVALID_ARGUMENT: EXIT.usage,
  NO_NAMESPACE: EXIT.usage,
};
