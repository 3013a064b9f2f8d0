/**
 * Errors of the core, each with a stable code. Refusals are values and never appear here.
 *
 * `invalid`: the caller broke the contract. `failure`: the environment got in the way; `definite` says whether the call
 * certainly had no effect (spec/0-conventions.md, "three kinds of no").
 */

/** Every error code of the core with the sentence that the docs show. */
export const ERROR_CODES = {
  INVALID_ARGUMENT: 'An argument has the wrong type or range. Nothing was written.',
  STORE_BUSY: 'The write lock could not be had within the time limit. The call had no effect.',
  STORE_CLOSED: 'The store was closed before the call. The call had no effect.',
  STORE_FAILED:
    'The engine reported an error. Whether the call had an effect is unknown unless `definite` is true.',
  STORE_FOREIGN: 'The file is a database of something else. It was not touched.',
  STORE_NEWER: 'The file was written by a newer version. It was not touched.',
  STORE_CORRUPT: 'The file is damaged or is not a database.',
  STORE_LACKS: 'The store has no such method or facet. The call had no effect.',
  NO_NAMESPACE: 'The key matches no declared namespace of the board. Nothing was written.',
  PERMISSION_DENIED: 'The key belongs to another worker. Nothing was written.',
  WRONG_MODE: 'The namespace of the key is not written this way. Nothing was written.',
  PLAN_CONTENDED: 'A plan was changed by others in every round of a verb. Nothing was written.',
  PLAN_CORRUPT:
    'What is stored under the key of a plan is no plan that this version reads. Nothing was written.',
  JOB_UNKNOWN: 'No job has that id, in memory or in the store.',
  JOB_FAILED: 'The job threw. What it threw is the cause, where the same process ran it.',
  JOB_LOST: 'The process of the job ended, or was taken for dead, before the job came to an end.',
  JOB_CANCELLED: 'The job was cancelled before it began.',
  JOB_TIMEOUT: 'The job was not done within the given time. It goes on.',
  JOB_TIME_LIMIT: 'The job ran longer than its time limit.',
  JOB_RESULT_TEXT: 'JSON could not carry the result of the job, so only a text form of it was stored.',
  JOBS_CLOSED: 'The job manager was shut down.',
  JOBS_CONFIG: 'A setting of background jobs in the environment cannot be read.',
  BOARD_CONFIG: 'The settings of a board cannot be read or do not fit their schema.',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

/** An error of the core. `code` is stable; `definite === true` means that the call certainly had no effect. */
export class FencepostError extends Error {
  readonly code: ErrorCode;
  readonly definite: boolean;

  constructor(code: ErrorCode, message: string, options: { definite: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'FencepostError';
    this.code = code;
    this.definite = options.definite;
  }
}

/** The caller broke the contract: ``Expected `name` to be …, got …``. */
export function invalidArgument(name: string, expected: string, got: unknown): FencepostError {
  return new FencepostError(
    'INVALID_ARGUMENT',
    `Expected \`${name}\` to be ${expected}, got ${describe(got)}.`,
    {
      definite: true,
    },
  );
}

function describe(value: unknown): string {
  if (typeof value === 'string')
    return `${JSON.stringify(value.length > 80 ? `${value.slice(0, 80)}…` : value)} (string)`;
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'object') return Array.isArray(value) ? 'an array' : 'an object';
  return `${String(value)} (${typeof value})`;
}
