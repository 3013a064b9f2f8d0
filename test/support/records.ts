/**
 * Histories for tests of obligations, numbers and verdicts, written as a script of what clients and the supervisor recorded.
 * Times are milliseconds. Everything goes through the real `HistoryBuilder`.
 */
import { HistoryBuilder } from '../../harness/history/builder.ts';
import type { History } from '../../harness/history/history.ts';
import type {
  ClientRecord,
  LeaseRecord,
  OperationName,
  Phase,
  RowRecord,
} from '../../harness/history/record.ts';
import type { RefusalCode } from '../../src/store.ts';

const NS_PER_MS = 1e6;
export const ns = (ms: number): number => Math.round(ms * NS_PER_MS);

/** `open`: no completion record at all. */
export type Answer = 'accepted' | 'fail' | 'info' | 'open' | { readonly refused: RefusalCode };
export const refused = (code: RefusalCode): Answer => ({ refused: code });

interface GrantOptions {
  readonly leaseMs?: number;
  readonly attempt?: number;
  readonly op?: 'claim' | 'claimNext';
  readonly owner?: string;
  readonly lane?: number;
  readonly kind?: LeaseRecord['kind'];
}

/** One incarnation as its own file tells it. */
export class ScriptedWorker {
  readonly incarnation: number;
  readonly label: string;
  readonly file: string;
  readonly #builder: HistoryBuilder;
  #calls = 0;

  constructor(
    builder: HistoryBuilder,
    incarnation: number,
    label: string,
    role: 'worker' | 'scanner' = 'worker',
  ) {
    this.#builder = builder;
    this.incarnation = incarnation;
    this.label = label;
    this.file = `${label}-${incarnation}.ndjson`;
    this.record({ type: 'header', format: 1, run: 'test', incarnation, label, role, t: 0 });
  }

  record(record: ClientRecord): void {
    this.#builder.client(record, this.file, 1, this.incarnation);
  }

  grant(inv: number, ret: number, key: string, generation: number, options: GrantOptions = {}): this {
    const { leaseMs = 100, attempt = generation, op = 'claimNext', owner = this.label, kind } = options;
    const id = this.#id(options.lane);
    const asked = op === 'claim' ? { key } : { prefix: '', limit: 1 };
    this.record({ type: 'invoke', t: ns(inv), ...id, op, leaseMs, ...asked });
    const lease = { key, generation, leaseMs, attempt, owner, ...(kind === undefined ? {} : { kind }) };
    this.record({ type: 'ok', t: ns(ret), ...id, accepted: true, leases: [lease] });
    return this;
  }

  /** A `claimNext` that granted several items. */
  grants(inv: number, ret: number, keys: readonly string[], generation: number): this {
    const id = this.#id();
    this.record({
      type: 'invoke',
      t: ns(inv),
      ...id,
      op: 'claimNext',
      prefix: '',
      limit: keys.length,
      leaseMs: 100,
    });
    const leases = keys.map((key) => ({ key, generation, leaseMs: 100, owner: this.label }));
    this.record({ type: 'ok', t: ns(ret), ...id, accepted: true, leases });
    return this;
  }

  /** A claim that was not granted. */
  claim(inv: number, ret: number, answer: Answer, key?: string): this {
    const id = this.#id();
    const asked = key === undefined ? { op: 'claimNext', prefix: '', limit: 1 } : { op: 'claim', key };
    this.record({ type: 'invoke', t: ns(inv), ...id, leaseMs: 100, ...asked } as ClientRecord);
    return this.#answer(ret, id, answer);
  }

  enqueue(
    inv: number,
    ret: number,
    keys: readonly string[],
    answer: Answer = 'accepted',
    maxAttempts?: number,
  ): this {
    const id = this.#id();
    const items = keys.map((key) => ({
      key,
      value: '1',
      ...(maxAttempts === undefined ? {} : { maxAttempts }),
    }));
    this.record({ type: 'invoke', t: ns(inv), ...id, op: 'enqueue', items });
    return this.#answer(ret, id, answer);
  }

  heartbeat(
    inv: number,
    ret: number,
    key: string,
    generation: number,
    answer: Answer = 'accepted',
    leaseMs = 100,
  ): this {
    const id = this.#id();
    this.record({ type: 'invoke', t: ns(inv), ...id, op: 'heartbeat', key, generation });
    if (answer !== 'accepted') return this.#answer(ret, id, answer);
    this.record({ type: 'ok', t: ns(ret), ...id, accepted: true, leases: [{ key, generation, leaseMs }] });
    return this;
  }

  complete(inv: number, ret: number, key: string, generation: number, answer: Answer = 'accepted'): this {
    return this.#final('complete', inv, ret, key, generation, answer);
  }

  nack(inv: number, ret: number, key: string, generation: number, answer: Answer = 'accepted'): this {
    return this.#final('nack', inv, ret, key, generation, answer);
  }

  release(inv: number, ret: number, key: string, generation: number, answer: Answer = 'accepted'): this {
    return this.#final('release', inv, ret, key, generation, answer);
  }

  scan(inv: number, ret: number, rows: readonly RowRecord[], limit = 1000): this {
    const id = this.#id();
    this.record({ type: 'invoke', t: ns(inv), ...id, op: 'scan', limit });
    this.record({ type: 'ok', t: ns(ret), ...id, accepted: true, rows });
    return this;
  }

  #final(op: OperationName, inv: number, ret: number, key: string, generation: number, answer: Answer): this {
    const id = this.#id();
    this.record({ type: 'invoke', t: ns(inv), ...id, op, key, generation });
    return this.#answer(ret, id, answer);
  }

  #answer(ret: number, id: { lane: number; call: number }, answer: Answer): this {
    const t = ns(ret);
    if (answer === 'accepted') this.record({ type: 'ok', t, ...id, accepted: true });
    else if (answer === 'fail' || answer === 'info') {
      this.record({ type: answer, t, ...id, error: { code: 'E', message: 'error' } });
    } else if (answer !== 'open')
      this.record({ type: 'ok', t, ...id, accepted: false, code: answer.refused });
    return this;
  }

  #id(lane = 0): { lane: number; call: number } {
    const call = this.#calls;
    this.#calls += 1;
    return { lane, call };
  }
}

interface Spawn {
  readonly at?: number;
  readonly why?: 'start' | 'respawn' | 'twin';
  readonly replaces?: ScriptedWorker;
}

/** A run as the supervisor's file and the workers' files tell it. */
export class Script {
  readonly builder = new HistoryBuilder();
  #next = 1;
  #nextFault = 1;

  worker(label: string, { at = 0, why = 'start', replaces }: Spawn = {}): ScriptedWorker {
    const incarnation = this.#next;
    this.#next += 1;
    const file = `${label}-${incarnation}.ndjson`;
    const place = replaces === undefined ? {} : { replaces: replaces.incarnation };
    const spawn = {
      incarnation,
      label,
      role: 'worker',
      pid: 1000 + incarnation,
      file,
      why,
      ...place,
    } as const;
    this.builder.supervisor({ type: 'spawn', t: ns(at), ...spawn });
    this.builder.supervisor({ type: 'ready', t: ns(at), incarnation });
    return new ScriptedWorker(this.builder, incarnation, label);
  }

  scanner(at: number): ScriptedWorker {
    const incarnation = this.#next;
    this.#next += 1;
    const file = `scan-${incarnation}.ndjson`;
    this.builder.supervisor({
      type: 'spawn',
      t: ns(at),
      incarnation,
      label: 'scan',
      role: 'scanner',
      pid: 1,
      file,
    });
    return new ScriptedWorker(this.builder, incarnation, 'scan', 'scanner');
  }

  phase(phase: Phase, at: number): this {
    this.builder.supervisor({ type: 'phase', t: ns(at), phase });
    return this;
  }

  signal(worker: ScriptedWorker, signal: string, at: number): this {
    this.builder.supervisor({ type: 'signal', t: ns(at), incarnation: worker.incarnation, signal });
    return this;
  }

  exit(worker: ScriptedWorker, at: number, code: number | null = 0, signal: string | null = null): this {
    this.builder.supervisor({ type: 'exit', t: ns(at), incarnation: worker.incarnation, code, signal });
    return this;
  }

  kill(worker: ScriptedWorker, signalAt: number, exitAt: number): this {
    return this.signal(worker, 'SIGKILL', signalAt).exit(worker, exitAt, null, 'SIGKILL');
  }

  stop(worker: ScriptedWorker, from: number, to?: number): this {
    const { incarnation } = worker;
    this.builder.supervisor({ type: 'state', t: ns(from), incarnation, state: 'stopped' });
    if (to !== undefined)
      this.builder.supervisor({ type: 'state', t: ns(to), incarnation, state: 'running' });
    return this;
  }

  /** A fault's own account of itself, from intent to healed. */
  fault(
    fault: string,
    at: number,
    outcome: 'confirmed' | 'missed' | 'failed' = 'confirmed',
    healed: string | false = 'confirmed',
  ): this {
    const id = this.#nextFault;
    this.#nextFault += 1;
    const note = { type: 'fault', id, fault, label: 'w1' } as const;
    this.builder.supervisor({ ...note, t: ns(at), stage: 'intent' });
    this.builder.supervisor({ ...note, t: ns(at), stage: 'act' });
    this.builder.supervisor({ ...note, t: ns(at + 1), stage: 'confirm', outcome });
    if (outcome !== 'confirmed' || healed === false) return this;
    this.builder.supervisor({ ...note, t: ns(at + 2), stage: 'heal' });
    this.builder.supervisor({ ...note, t: ns(at + 3), stage: 'healed', outcome: healed as 'confirmed' });
    return this;
  }

  /** Something outside of the workers has hold of the store. */
  hold(fault: string, from: number, to: number): this {
    const note = { type: 'hold', id: this.#nextFault, fault } as const;
    this.#nextFault += 1;
    this.builder.supervisor({ ...note, t: ns(from), held: true });
    this.builder.supervisor({ ...note, t: ns(to), held: false });
    return this;
  }

  clock(at: number, bootMs: number, wallMs: number): this {
    this.builder.supervisor({ type: 'clock', t: ns(at), bootMs, wallMs });
    return this;
  }

  history({ embedded = true }: { readonly embedded?: boolean } = {}): History {
    return this.builder.snapshot({ embedded });
  }
}
