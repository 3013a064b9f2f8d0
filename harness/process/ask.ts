/** Forks a child for one question and waits for its answer: probe, prepare, destroy. */
import { UsageError } from '../scenario/usage-error.ts';
import type { DestroyJob, FromChild, PrepareJob, ProbeJob } from '../worker/job.ts';
import { Child } from './child.ts';
import type { Ledger } from './ledger.ts';

type Question = ProbeJob | PrepareJob | DestroyJob;

/** How an answer is waited for. */
export interface AskOptions {
  readonly logFd: number | 'ignore';
  readonly signal?: AbortSignal;
  /** Told once of each step that takes longer than two seconds. */
  readonly onWaiting?: ((text: string) => void) | undefined;
}

/** How long one step may take. A child whose event loop is blocked cannot end its own steps. Longer than any limit that the child itself puts on a step, so that its own, better words come first. */
const STEP_LIMIT_MS = 20_000;
const TELL_AFTER_MS = 2_000;
/** A process that starts takes its time on a busy machine, and that is not the store's doing. */
const START = 'the start of its process';
const TELL_OF_START_MS = 5_000;

/** The answer; undefined when `signal` was aborted first. Else a `UsageError` is thrown with what the child said when it refused, or when it died or took too long. */
export async function ask<T>(job: Question, ledger: Ledger, options: AskOptions): Promise<T | undefined> {
  const { signal } = options;
  const child = Child.fork(job.store, ledger, job.kind, options.logFd);
  try {
    child.send({ type: 'job', job });
    const waiting = new Waiting(job, child, options);
    const answer = await waiting.answer;
    if (signal?.aborted) return undefined;
    if (answer === undefined) throw noAnswer(job, child, waiting);
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

/** Waits for the answer of a child, step by step. */
class Waiting {
  readonly answer: Promise<Answer | undefined>;
  /** What of the store is waited for. */
  step = START;
  readonly #onWaiting: (text: string) => void;
  readonly #store: string;
  #timers: NodeJS.Timeout[] = [];
  #end: (answer?: Answer) => void = () => {};

  constructor(job: Question, child: Child, options: AskOptions) {
    const { signal } = options;
    this.#store = job.store.spec;
    this.#onWaiting = options.onWaiting ?? (() => {});
    this.answer = new Promise((resolve) => {
      const giveUp = (): void => this.#end();
      this.#end = (answer) => {
        this.#clear();
        signal?.removeEventListener('abort', giveUp);
        resolve(answer);
      };
      signal?.addEventListener('abort', giveUp);
      child.on('message', (message) => {
        if (message.type === 'step') this.#enter(message.what);
        else if (message.type === 'result' || message.type === 'refused') this.#end(message);
      });
      child.once('exit', () => setTimeout(giveUp, LAST_WORD_MS));
      this.#enter(this.step);
    });
  }

  #enter(step: string): void {
    this.#clear();
    this.step = step;
    const text = `Waiting for the store \`${this.#store}\`: ${step} has not ended; it is given ${STEP_LIMIT_MS / 1000} s at most.`;
    this.#timers = [
      setTimeout(() => this.#onWaiting(text), step === START ? TELL_OF_START_MS : TELL_AFTER_MS),
      setTimeout(() => this.#end(), STEP_LIMIT_MS),
    ];
  }

  #clear(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

function noAnswer(job: Question, child: Child, { step }: Waiting): UsageError {
  const ended = child.exit
    ? `its process ended with ${child.exit.signal ?? `code ${child.exit.code}`} in ${step}`
    : `${step} gave no answer for ${STEP_LIMIT_MS / 1000} s`;
  return new UsageError({
    code: 'STORE_PROBE',
    message: `Expected the store \`${job.store.spec}\` to answer the ${job.kind}, but ${ended}.`,
    hint: 'Does it block the event loop, or wait for a server that is not up? Import the module in a script of its own, create a store and make that call once; then try again.',
  });
}
