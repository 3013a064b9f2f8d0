/** A limit on waiting for somebody else's code. */

/** The other side did not answer within the limit; whether the call had an effect is unknown. */
export class TimeLimitError extends Error {
  constructor(what: string, limitMs: number) {
    super(`${what} did not finish within ${limitMs / 1000} s`);
    this.name = 'TimeLimitError';
  }
}

/**
 * The answer of `call`, or a {@link TimeLimitError}. It limits the waiting only: what hangs goes on hanging, and a call
 * that blocks the event loop cannot be limited from within (the probe therefore runs in a process of its own).
 */
export async function within<T>(limitMs: number, what: string, call: () => T | PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeLimitError(what, limitMs)), limitMs);
  });
  try {
    return await Promise.race([Promise.resolve().then(call), limit]);
  } finally {
    clearTimeout(timer);
  }
}
