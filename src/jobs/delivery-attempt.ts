/** One call of a handler, and what its answer means (spec/jobs.md D4-5). */
import { afterLong, type Clock } from '../clock.ts';
import { messageOf } from './news.ts';
import type { Attempt } from './owing.ts';

/** Calls it, and waits for its answer at most so long. A call that takes too long may still succeed: it counts as not delivered. */
export function ask(
  clock: Clock,
  timeoutMs: number,
  call: (signal: AbortSignal) => unknown,
): Promise<Attempt> {
  const controller = new AbortController();
  return new Promise((resolve) => {
    const cancel = afterLong(clock, timeoutMs, () => {
      const error = `no answer within ${timeoutMs} ms; whether it arrived is unknown`;
      resolve({ state: 'owed', error });
      controller.abort(new Error(error));
    });
    void answerOf(() => call(controller.signal)).then((attempt) => {
      cancel();
      resolve(attempt);
    });
  });
}

async function answerOf(call: () => unknown): Promise<Attempt> {
  try {
    const answer: unknown = await call();
    if (answer === false) return { state: 'owed', error: 'the handler answered false' };
    if (typeof answer === 'object' && answer !== null && 'giveUp' in answer) {
      return { state: 'given-up', error: String(answer.giveUp) };
    }
    return { state: 'delivered' };
  } catch (error) {
    const asked = (error as { retryAfterMs?: unknown } | null | undefined)?.retryAfterMs;
    return {
      state: 'owed',
      error: messageOf(error),
      ...(typeof asked === 'number' ? { retryAfterMs: asked } : {}),
    };
  }
}
