/** Forks a child for one question and waits for its answer: probe, prepare, destroy. */
import { UsageError } from '../scenario/usage-error.ts';
import type { DestroyJob, FromChild, PrepareJob, ProbeJob } from '../worker/job.ts';
import { Child } from './child.ts';
import type { Ledger } from './ledger.ts';

/** The answer; undefined when `signal` was aborted first. Else a `UsageError` is thrown with what the child said when it refused, or when it died or took too long. */
export async function ask<T>(
  job: ProbeJob | PrepareJob | DestroyJob,
  ledger: Ledger,
  options: { readonly logFd: number | 'ignore'; readonly limitMs: number; readonly signal?: AbortSignal },
): Promise<T | undefined> {
  const { logFd, limitMs, signal } = options;
  const child = Child.fork(job.store, ledger, job.kind, logFd);
  try {
    child.send({ type: 'job', job });
    const answer = await answerOf(child, limitMs, signal);
    if (signal?.aborted) return undefined;
    if (answer === undefined) throw noAnswer(job, child, limitMs);
    if (answer.type === 'refused') throw new UsageError(answer.problems);
    await child.waitForExit(2_000);
    return answer.result as T;
  } finally {
    child.signal('SIGKILL');
  }
}

type Answer = Extract<FromChild, { type: 'result' | 'refused' }>;

/** A last message may still be on its way behind the exit event (case A23). */
const LAST_WORD_MS = 50;

function answerOf(
  child: Child,
  limitMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    const end = (answer?: Answer): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      resolve(answer);
    };
    const giveUp = (): void => end();
    const timer = setTimeout(giveUp, limitMs);
    signal?.addEventListener('abort', giveUp);
    child.on('message', (message) => {
      if (message.type === 'result' || message.type === 'refused') end(message);
    });
    child.once('exit', () => setTimeout(giveUp, LAST_WORD_MS));
  });
}

function noAnswer(job: ProbeJob | PrepareJob | DestroyJob, child: Child, limitMs: number): UsageError {
  const ended = child.exit
    ? `ended with ${child.exit.signal ?? `code ${child.exit.code}`}`
    : `gave no answer for ${limitMs / 1000} s`;
  return new UsageError({
    code: 'STORE_PROBE',
    message: `Expected the store \`${job.store.spec}\` to answer the ${job.kind}, but its process ${ended}.`,
    hint: 'Import the module in a script of its own, create a store and call claim() once; then try again.',
  });
}
