/**
 * The order of three things is what the verdicts rest on (spec/checking.md 3.2): the invoke record is in the kernel before
 * the call leaves (R1); the time of the answer is read first thing, before anything is parsed (R2); a call of unknown
 * outcome retires its lane (R6).
 */
import type { Awaitable, Lease, Outcome, Refusal } from '../../src/store.ts';
import type { InvokeRecord, OkRecord, OperationName } from '../history/record.ts';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import { ShapeError } from '../store-module/shape-error.ts';
import { within } from '../store-module/time-limit.ts';
import type { CallHooks } from './call-hooks.ts';
import { classify } from './classify.ts';

/** A refusal of the Store contract, or of a plan. */
type Refused = Pick<Refusal, 'holder' | 'current'> & { readonly code: NonNullable<OkRecord['code']> };

/** An answer of the Store contract, or of a plan. */
type Answered<T, R> =
  | { readonly accepted: true; readonly value: T }
  | { readonly accepted: false; readonly refusal: R };

/** What a lane learns of its call. */
export type Answer<T, R extends Refused = Refusal> =
  | { readonly outcome: 'accepted'; readonly value: T; readonly invokedAt: number }
  | { readonly outcome: 'refused'; readonly refusal: R; readonly invokedAt: number }
  | { readonly outcome: 'fail' | 'info'; readonly error: unknown; readonly invokedAt: number };

/** Names lanes: a retired one is never used again. */
export interface LaneNumbers {
  next(): number;
}

export interface RecorderOptions {
  readonly writer: HistoryWriter;
  readonly incarnation: number;
  readonly lanes: LaneNumbers;
  readonly definiteErrors: readonly string[];
  /** A call that has no answer by then is recorded as unknown. */
  readonly callLimitMs: number;
  /** What comes between this recorder and the store, where faults are done to calls. */
  readonly hooks?: CallHooks | undefined;
}

/** What an invoke record says of a call beside its name and number. */
export type Fields = Omit<InvokeRecord, 'type' | 't' | 'lane' | 'call' | 'op'>;
/** What an ok record shows of an accepted answer. */
export type Shown = Omit<
  OkRecord,
  'type' | 't' | 'lane' | 'call' | 'accepted' | 'code' | 'holder' | 'current'
>;

/** Makes the calls of one lane, and writes down each before and after. */
export class CallRecorder {
  readonly #options: RecorderOptions;
  #lane: number;
  #call = 0;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#lane = options.lanes.next();
  }

  /** The request id that the next call will have: results and values name the call that wrote them (R7). */
  get nextRequest(): string {
    return `${this.#options.incarnation}.${this.#lane}.${this.#call}`;
  }

  async record<T, R extends Refused = Refusal>(
    op: OperationName,
    fields: Fields,
    call: (request: string) => Awaitable<Answered<T, R>>,
    describe: (value: T) => Shown = () => ({}),
  ): Promise<Answer<T, R>> {
    const { writer, callLimitMs, hooks } = this.#options;
    const request = this.nextRequest;
    const id = { lane: this.#lane, call: this.#call };
    this.#call += 1;
    const invokedAt = stamp();
    writer.write({ type: 'invoke', t: invokedAt, ...id, op, ...fields });
    let outcome: Answered<T, R>;
    let t: number;
    try {
      const answer = hooks ? hooks.around({ op, ...id }, () => call(request)) : call(request);
      outcome = isPending(answer) ? await within(callLimitMs, `${op}()`, () => answer) : answer;
      t = stamp();
    } catch (error) {
      return this.#failed(op, id, stamp(), invokedAt, error);
    }
    if (outcome.accepted) {
      writer.write({ type: 'ok', t, ...id, accepted: true, ...describe(outcome.value) });
      hooks?.answered({ op, ...id });
      return { outcome: 'accepted', value: outcome.value, invokedAt };
    }
    const { code, holder, current } = outcome.refusal;
    writer.write({
      type: 'ok',
      t,
      ...id,
      accepted: false,
      code,
      ...(holder === undefined ? {} : { holder }),
      ...(current === undefined ? {} : { current }),
    });
    hooks?.answered({ op, ...id });
    return { outcome: 'refused', refusal: outcome.refusal, invokedAt };
  }

  /** As `record`, for a read: it has no refusal, and answers what it read. */
  recordRead<T>(
    op: OperationName,
    fields: Fields,
    read: () => Awaitable<T>,
    describe: (value: T) => Shown,
  ): Promise<Answer<T>> {
    const accepted = (value: T): Outcome<T> => ({ accepted: true, value });
    return this.record(
      op,
      fields,
      () => {
        const answer = read();
        return isPending(answer) ? answer.then(accepted) : accepted(answer);
      },
      describe,
    );
  }

  #failed(
    op: OperationName,
    id: { readonly lane: number; readonly call: number },
    t: number,
    invokedAt: number,
    error: unknown,
  ): Answer<never, never> {
    const { writer, definiteErrors } = this.#options;
    if (error instanceof ShapeError) writer.write({ type: 'shape', t, ...id, op, message: error.message });
    const { type, code, message } = classify(error, definiteErrors);
    writer.write({ type, t, ...id, error: { code, message } });
    if (type === 'info') {
      this.#lane = this.#options.lanes.next();
      this.#call = 0;
    }
    return { outcome: type, error, invokedAt };
  }
}

/** A store that answers at once is not made to wait a turn: its answer is stamped in the same one. */
function isPending<T>(answer: Awaitable<T>): answer is PromiseLike<T> {
  return typeof (answer as PromiseLike<T> | undefined)?.then === 'function';
}

/** Numbers stay numbers while JSON carries them exactly. */
export function generationField(generation: bigint): number | string {
  return generation <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(generation) : String(generation);
}

/** What names the tenure of a lease: its generation, else its token. */
export const tokenField = ({
  generation,
  token,
}: Pick<Lease, 'generation' | 'token'>):
  | { readonly generation: number | string }
  | { readonly token: string } =>
  generation === undefined ? { token } : { generation: generationField(generation) };
