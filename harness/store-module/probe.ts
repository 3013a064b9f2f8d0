/**
 * A short try of a store in a scratch namespace, before any worker starts: does it answer, is it empty, do its answers
 * have the shape of the contract, can a lease be taken and ended? It judges no guarantee: a store that breaks one must
 * get as far as the run that shows it.
 *
 * It runs in a process of its own, which whoever starts it can end: a store that blocks the event loop cannot be timed
 * out from within.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Claimant, Lease, Outcome, Store, WorkStore } from '../../src/store.ts';
import type { OperationName } from '../history/record.ts';
import type { Declares } from './declares.ts';
import { methodsOf } from './methods.ts';
import {
  CallFailure,
  explainProblem,
  ProbeFailure,
  type ProbeProblem,
  refusedFirst,
} from './probe-problem.ts';
import { ShapeError } from './shape-error.ts';
import { TimeLimitError, within } from './time-limit.ts';
import { validating } from './validating.ts';

export type { ProbeProblem };

/** What the probe found. No problem: the store can be tested. */
export interface ProbeReport {
  readonly methods: readonly OperationName[];
  readonly problems: readonly ProbeProblem[];
}

/** Limits of a probe. */
export interface ProbeOptions {
  /** For each call. Default 5 s. */
  readonly callLimitMs?: number;
  /** Lease that the probe asks for. Default 10 s, within the bounds that the store declares. */
  readonly leaseMs?: number;
}

const OWNER = 'probe';
const KEYS = ['probe/a', 'probe/b', 'probe/c'] as const;

/** Tries a store that was opened in a namespace of its own. Never throws: what goes wrong is in the report. */
export async function probe(
  store: Store,
  declares: Declares,
  options: ProbeOptions = {},
): Promise<ProbeReport> {
  const problems: ProbeProblem[] = [];
  let methods: readonly OperationName[] = [];
  try {
    methods = methodsOf(store);
    const expected = { generations: declares.tokens === 'ascending' };
    const checked = validating(store, () => {}, expected);
    await new Probe(checked, declares, methods, options).run();
  } catch (error) {
    problems.push(explainProblem(error));
  }
  return { methods, problems };
}

class Probe {
  readonly #store: Store;
  readonly #declares: Declares;
  readonly #methods: ReadonlySet<OperationName>;
  readonly #limitMs: number;
  readonly #leaseMs: number;
  #calls = 0;

  constructor(store: Store, declares: Declares, methods: readonly OperationName[], options: ProbeOptions) {
    this.#store = store;
    this.#declares = declares;
    this.#methods = new Set(methods);
    this.#limitMs = options.callLimitMs ?? 5_000;
    this.#leaseMs = Math.min(Math.max(options.leaseMs ?? 10_000, declares.minLeaseMs), declares.maxLeaseMs);
  }

  async run(): Promise<void> {
    this.#hasWork();
    await this.#call('nowMs', () => this.#store.nowMs());
    await this.#isEmpty();
    await this.#enqueue();
    const lease = await this.#take(KEYS[0]);
    await this.#isRefused(KEYS[0]);
    const renewed = await this.#renew(lease);
    await this.#end('complete', renewed, (call) =>
      this.#work.complete!(renewed, { ...call, result: { probe: true } }),
    );
    for (const [op, key] of [
      ['release', KEYS[1]],
      ['nack', KEYS[2]],
    ] as const) {
      if (!this.#methods.has(op)) continue;
      const other = await this.#take(key);
      await this.#end(op, other, (call) =>
        op === 'release'
          ? this.#work.release!(other, call)
          : this.#work.nack!(other, { ...call, error: 'probe' }),
      );
    }
    if (this.#methods.has('forceRelease')) {
      await this.#call('forceRelease', () =>
        this.#work.forceRelease!(KEYS[1], { ...this.#request(), by: OWNER }),
      );
    }
    if (this.#methods.has('scan')) await this.#call('scan', () => this.#work.scan!({ limit: 10 }));
    if (this.#store.counters !== undefined) await this.#call('counters', () => this.#store.counters!());
  }

  get #work(): WorkStore {
    return this.#store.work!;
  }

  #hasWork(): void {
    const missing = (what: string, fix: string) =>
      new ProbeFailure({ what, why: 'Without it no lease can be taken, and there is nothing to test.', fix });
    if (this.#store.work === undefined)
      throw missing('The store has no `work` facet.', 'Add `work: { claim, complete, … }`.');
    if (!this.#methods.has('claim') && !this.#methods.has('claimNext')) {
      throw missing('The work facet has neither `claim` nor `claimNext`.', 'Add one of the two.');
    }
    if (!this.#methods.has('enqueue') && this.#declares.items === 'enqueued') {
      throw missing(
        "The work facet has no `enqueue`, and declares `items: 'enqueued'`.",
        "Add `enqueue`, or declare `items: 'on-demand'` when the first claim makes the item.",
      );
    }
  }

  async #isEmpty(): Promise<void> {
    if (!this.#methods.has('scan')) return;
    const rows = await this.#call('scan', () => this.#work.scan!({ limit: 10 }));
    if (rows.length === 0) return;
    throw new ProbeFailure({
      what: `A new namespace is not empty: scan() shows \`${rows[0]?.key}\`.`,
      why: 'Leftovers of an earlier run would be judged as if they were of this one.',
      fix: 'Keep everything of a store under `options.namespace`, which is new for each run.',
    });
  }

  async #enqueue(): Promise<void> {
    if (!this.#methods.has('enqueue')) return;
    const items = KEYS.map((key) => ({ key, payload: { probe: key } }));
    const answer = await this.#call('enqueue', () => this.#work.enqueue!(items, this.#request()));
    if (!answer.accepted) throw refusedFirst('enqueue', 'three new items', answer.refusal);
    // The same keys once more: the shape of a refusal. What it says is judged by a checker.
    await this.#call('enqueue', () => this.#work.enqueue!(items, this.#request()));
  }

  async #take(key: string): Promise<Lease> {
    const by = { owner: OWNER, leaseMs: this.#leaseMs, ...this.#request() };
    if (this.#methods.has('claim')) {
      const answer = await this.#call('claim', () => this.#work.claim!(key, by));
      if (answer.accepted) return answer.value;
      throw refusedFirst('claim', `the free item \`${key}\``, answer.refusal);
    }
    const answer = await this.#claimNext(key, by);
    if (!answer.accepted) throw refusedFirst('claimNext', `the free item \`${key}\``, answer.refusal);
    const [lease] = answer.value;
    if (lease !== undefined) return lease;
    throw new ShapeError(
      'claimNext',
      'value',
      "at least one lease (with none to give, refuse as 'empty')",
      answer.value,
    );
  }

  /** A queue may show a new item a little later: 'empty' is asked again until the limit of one call. */
  async #claimNext(key: string, by: Claimant): Promise<Outcome<readonly Lease[]>> {
    const tries = Math.ceil(this.#limitMs / 50);
    for (let left = tries; ; left--) {
      const again = { ...by, ...this.#request() };
      const answer = await this.#call('claimNext', () => this.#work.claimNext!(key, again));
      if (answer.accepted || answer.refusal.code !== 'empty' || left === 0) return answer;
      await sleep(50);
    }
  }

  /** Calls that a store refuses as a rule: for the shape of their answers only. */
  async #isRefused(held: string): Promise<void> {
    const by = { owner: `${OWNER}-2`, leaseMs: this.#leaseMs };
    if (this.#methods.has('claim')) {
      await this.#call('claim', () => this.#work.claim!(held, { ...by, ...this.#request() }));
    }
    if (this.#methods.has('claimNext')) {
      await this.#call('claimNext', () =>
        this.#work.claimNext!('probe-none/', { ...by, ...this.#request() }),
      );
    }
  }

  async #renew(lease: Lease): Promise<Lease> {
    if (!this.#methods.has('heartbeat')) return lease;
    const answer = await this.#call('heartbeat', () => this.#work.heartbeat!(lease, this.#request()));
    if (!answer.accepted) throw refusedFirst('heartbeat', 'the holder of a live lease', answer.refusal);
    return answer.value;
  }

  async #end(
    op: OperationName,
    lease: Lease,
    send: (call: Call) => ReturnType<NonNullable<WorkStore['release']>>,
  ): Promise<void> {
    if (!this.#methods.has(op)) return;
    const answer = await this.#call(op, () => send(this.#request()));
    if (!answer.accepted) throw refusedFirst(op, `the holder of \`${lease.key}\``, answer.refusal);
  }

  async #call<T>(op: string, call: () => T | PromiseLike<T>): Promise<T> {
    try {
      return await within(this.#limitMs, `${op}()`, call);
    } catch (error) {
      if (error instanceof ShapeError || error instanceof TimeLimitError) throw error;
      throw new CallFailure(op, error);
    }
  }

  #request(): Call {
    this.#calls += 1;
    return { request: `probe.0.${this.#calls}` };
  }
}
