/**
 * The client that every worker uses: it records what it is about to do, does it, and records what came of it.
 *
 * The order of three things is what the verdicts rest on (spec/checking.md 3.2): the invoke record is in the kernel before
 * the call leaves (R1); the time of the answer is read first thing, before anything is parsed (R2); a call of unknown
 * outcome retires its lane (R6).
 */
import type {
  Awaitable,
  Item,
  Json,
  Lease,
  NewItem,
  Outcome,
  Page,
  Refusal,
  WorkStore,
} from '../../src/store.ts';
import { digest } from '../history/digest.ts';
import type { InvokeRecord, LeaseRecord, OkRecord, OperationName, RowRecord } from '../history/record.ts';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import { ShapeError } from '../store-module/shape-error.ts';
import { within } from '../store-module/time-limit.ts';
import { classify } from './classify.ts';

/** What a lane learns of its call. */
export type Answer<T> =
  | { readonly outcome: 'accepted'; readonly value: T; readonly invokedAt: number }
  | { readonly outcome: 'refused'; readonly refusal: Refusal; readonly invokedAt: number }
  | { readonly outcome: 'fail' | 'info'; readonly error: unknown; readonly invokedAt: number };

/** Names lanes: a retired one is never used again. */
export interface LaneNumbers {
  next(): number;
}

export interface ClientOptions {
  readonly work: WorkStore;
  readonly writer: HistoryWriter;
  readonly incarnation: number;
  readonly label: string;
  readonly lanes: LaneNumbers;
  readonly definiteErrors: readonly string[];
  /** A call that has no answer by then is recorded as unknown. */
  readonly callLimitMs: number;
}

type Fields = Omit<InvokeRecord, 'type' | 't' | 'lane' | 'call' | 'op'>;

export class RecordingClient {
  readonly #options: ClientOptions;
  #lane: number;
  #call = 0;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#lane = options.lanes.next();
  }

  enqueue(items: readonly NewItem[]): Promise<Answer<void>> {
    const described = items.map(({ key, payload, maxAttempts, notBeforeMs }) => ({
      key,
      value: digest(payload),
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
      ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
    }));
    return this.#record('enqueue', { items: described }, (request) =>
      this.#options.work.enqueue!(items, { request }),
    );
  }

  claim(key: string, leaseMs: number): Promise<Answer<Lease>> {
    const owner = this.#options.label;
    return this.#record(
      'claim',
      { key, leaseMs },
      (request) => this.#options.work.claim!(key, { owner, leaseMs, request }),
      (lease) => ({ leases: [leaseRecord(lease)] }),
    );
  }

  claimNext(prefix: string, leaseMs: number, limit: number): Promise<Answer<readonly Lease[]>> {
    const owner = this.#options.label;
    return this.#record(
      'claimNext',
      { prefix, limit, leaseMs },
      (request) => this.#options.work.claimNext!(prefix, { owner, leaseMs, request, limit }),
      (leases) => ({ leases: leases.map(leaseRecord) }),
    );
  }

  heartbeat(lease: Lease): Promise<Answer<Lease>> {
    return this.#record(
      'heartbeat',
      holderFields(lease),
      (request) => this.#options.work.heartbeat!(lease, { request }),
      (renewed) => ({ leases: [leaseRecord(renewed)] }),
    );
  }

  /** The result names the call that wrote it, so that a read shows who did (R7). */
  complete(lease: Lease): Promise<Answer<void>> {
    const result: Json = { by: this.#nextRequest() };
    return this.#record('complete', { ...holderFields(lease), value: digest(result) }, (request) =>
      this.#options.work.complete!(lease, { request, result }),
    );
  }

  nack(lease: Lease, error: string): Promise<Answer<void>> {
    return this.#record('nack', holderFields(lease), (request) =>
      this.#options.work.nack!(lease, { request, error }),
    );
  }

  release(lease: Lease): Promise<Answer<void>> {
    return this.#record('release', holderFields(lease), (request) =>
      this.#options.work.release!(lease, { request }),
    );
  }

  /** A page of the final read. A scan has no refusal; its answer is a plain list. */
  scan(page: Page): Promise<Answer<readonly Item[]>> {
    return this.#record(
      'scan',
      { ...(page.after === undefined ? {} : { key: page.after }), limit: page.limit },
      async () => ({ accepted: true, value: await this.#options.work.scan!(page) }),
      (items) => ({ rows: items.map(rowRecord) }),
    );
  }

  #nextRequest(): string {
    return `${this.#options.incarnation}.${this.#lane}.${this.#call}`;
  }

  async #record<T>(
    op: OperationName,
    fields: Fields,
    call: (request: string) => Awaitable<Outcome<T>>,
    describe: (value: T) => Pick<OkRecord, 'leases' | 'rows'> = () => ({}),
  ): Promise<Answer<T>> {
    const { writer, callLimitMs } = this.#options;
    const request = this.#nextRequest();
    const id = { lane: this.#lane, call: this.#call };
    this.#call += 1;
    const invokedAt = stamp();
    writer.write({ type: 'invoke', t: invokedAt, ...id, op, ...fields });
    let outcome: Outcome<T>;
    let t: number;
    try {
      const answer = call(request);
      outcome = isPending(answer) ? await within(callLimitMs, `${op}()`, () => answer) : answer;
      t = stamp();
    } catch (error) {
      return this.#failed(op, id, stamp(), invokedAt, error);
    }
    if (outcome.accepted) {
      writer.write({ type: 'ok', t, ...id, accepted: true, ...describe(outcome.value) });
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
    return { outcome: 'refused', refusal: outcome.refusal, invokedAt };
  }

  #failed<T>(
    op: OperationName,
    id: { readonly lane: number; readonly call: number },
    t: number,
    invokedAt: number,
    error: unknown,
  ): Answer<T> {
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

const holderFields = (lease: Lease): Fields => ({
  key: lease.key,
  ...(lease.generation === undefined
    ? { token: lease.token }
    : { generation: generationField(lease.generation) }),
});

function leaseRecord(lease: Lease): LeaseRecord {
  const { key, owner, token, generation, leaseMs, attempt, acquiredAtMs, expiresAtMs, payload, kind } = lease;
  return {
    key,
    ...(generation === undefined ? { token } : { generation: generationField(generation) }),
    owner,
    leaseMs,
    ...(attempt === undefined ? {} : { attempt }),
    ...(acquiredAtMs === undefined ? {} : { acquiredAtMs }),
    ...(expiresAtMs === undefined ? {} : { expiresAtMs }),
    ...(payload === undefined ? {} : { value: digest(payload) }),
    ...(kind === undefined ? {} : { kind }),
  };
}

function rowRecord(item: Item): RowRecord {
  const { key, state, generation, attempts, owner, result, completedBy, enqueuedBy } = item;
  return {
    key,
    state,
    ...(generation === undefined ? {} : { generation: generationField(generation) }),
    ...(attempts === undefined ? {} : { attempts }),
    ...(owner === undefined ? {} : { owner }),
    ...(result === undefined ? {} : { value: digest(result) }),
    ...(completedBy === undefined ? {} : { completedBy }),
    ...(enqueuedBy === undefined ? {} : { enqueuedBy }),
  };
}

/** Numbers stay numbers while JSON carries them exactly. */
function generationField(generation: bigint): number | string {
  return generation <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(generation) : String(generation);
}
