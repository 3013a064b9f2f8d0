/** Whether a thrown error certainly had no effect. In doubt it may have: `info` (spec/checking.md 3.4). */

export interface Classified {
  readonly type: 'fail' | 'info';
  readonly code: string;
  readonly message: string;
}

const MAX_MESSAGE = 300;

/**
 * An error is definite when it says so (`definite === true`) or when the store declares its code definite.
 * A time-out of ours is never definite: the call may still act.
 */
export function classify(error: unknown, definiteErrors: readonly string[]): Classified {
  const { code, name, message, definite } = Object(error) as {
    code?: unknown;
    name?: unknown;
    message?: unknown;
    definite?: unknown;
  };
  const shownCode =
    typeof code === 'string' && code !== '' ? code : typeof name === 'string' ? name : 'THROWN';
  const text = typeof message === 'string' ? message : String(error);
  return {
    type: definite === true || (typeof code === 'string' && definiteErrors.includes(code)) ? 'fail' : 'info',
    code: shownCode,
    message: text.length > MAX_MESSAGE ? `${text.slice(0, MAX_MESSAGE)}…` : text,
  };
}
