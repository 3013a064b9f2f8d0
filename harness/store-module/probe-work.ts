/** The part of the probe that takes leases and ends them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Call, Claimant, Lease, Outcome, WorkStore } from '../../src/store.ts';
import type { OperationName } from '../history/record.ts';
import type { Declares } from './declares.ts';
import { PROBE_OWNER as OWNER, type ProbeCalls } from './probe-calls.ts';
import { notEmpty, refusedFirst } from './probe-problem.ts';
import { ShapeError } from './shape-error.ts';

const KEYS = ['probe/a', 'probe/b', 'probe/c'] as const;

export class WorkProbe {
  readonly #work: WorkStore;
  readonly #calls: ProbeCalls;
  readonly #methods: ReadonlySet<OperationName>;
  readonly #leaseMs: number;

  constructor(
    work: WorkStore,
    calls: ProbeCalls,
    methods: ReadonlySet<OperationName>,
    declares: Declares,
    leaseMs: number,
  ) {
    this.#work = work;
    this.#calls = calls;
    this.#methods = methods;
    this.#leaseMs = Math.min(Math.max(leaseMs, declares.minLeaseMs), declares.maxLeaseMs);
  }

  async run(): Promise<void> {
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
  }

  async #isEmpty(): Promise<void> {
    if (!this.#methods.has('scan')) return;
    const rows = await this.#call('scan', () => this.#work.scan!({ limit: 10 }));
    if (rows.length === 0) return;
    throw notEmpty('scan', rows[0]?.key);
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
    const tries = Math.ceil(this.#calls.limitMs / 50);
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

  #call<T>(op: string, call: () => T | PromiseLike<T>): Promise<T> {
    return this.#calls.call(op, call);
  }

  #request(): Call {
    return this.#calls.request();
  }
}
