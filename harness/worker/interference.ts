/**
 * Comes between the recorder and the store: delays calls before they are sent or before their answer is handed on (`slow`),
 * and lets calls act and loses their answers (`lose-reply`), which leaves an honest unknown operation.
 */
import type { Awaitable } from '../../src/store.ts';
import type { Random } from '../random/random.ts';
import type { FaultOrder } from './job.ts';

type Order = Extract<FaultOrder, { fault: 'slow' | 'lose-reply' }>;

interface Active {
  readonly order: Order;
  /** Calls that it was done to. */
  calls: number;
  /** Of them, those that are still held back. */
  pending: number;
  /** No call more; told once none is held back. */
  ended: (() => void) | undefined;
}

/** The call acted or did not; nobody told. */
class ReplyLost extends Error {
  readonly code = 'REPLY_LOST';
  constructor() {
    super('The answer was lost on purpose: what the call did is unknown.');
  }
}

export class Interference {
  readonly #random: Random;
  readonly #active = new Map<number, Active>();

  constructor(random: Random) {
    this.#random = random;
  }

  begin(order: Order): void {
    this.#active.set(order.id, { order, calls: 0, pending: 0, ended: undefined });
  }

  /** No call is touched any more; resolves with their number once the last one is through. Undefined: no such order. */
  async end(id: number): Promise<number | undefined> {
    const active = this.#active.get(id);
    if (!active) return undefined;
    this.#active.delete(id);
    if (active.pending > 0) await new Promise<void>((resolve) => (active.ended = resolve));
    return active.calls;
  }

  /** Makes the call, with whatever is in its way now. A store that answers at once still does when nothing is. */
  around<T>(send: () => Awaitable<T>): Awaitable<T> {
    let call = send;
    for (const active of this.#active.values()) {
      if (!this.#random.chance(active.order.share)) continue;
      active.calls += 1;
      call = this.#disturbed(active, call);
    }
    return call();
  }

  #disturbed<T>(active: Active, send: () => Awaitable<T>): () => Promise<T> {
    const { order } = active;
    if (order.fault === 'lose-reply') return () => this.#held(active, () => loseReply(send));
    const { min, max } = order.delayMs;
    const delayMs = min + (max - min) * this.#random.next();
    const isAhead = this.#random.chance(0.5);
    return () => this.#held(active, () => delayed(send, delayMs, isAhead));
  }

  async #held<T>(active: Active, call: () => Promise<T>): Promise<T> {
    active.pending += 1;
    try {
      return await call();
    } finally {
      active.pending -= 1;
      if (active.pending === 0) active.ended?.();
    }
  }
}

async function loseReply<T>(send: () => Awaitable<T>): Promise<T> {
  try {
    await send();
  } catch {
    // What was thrown is an answer too, and lost like any other.
  }
  throw new ReplyLost();
}

async function delayed<T>(send: () => Awaitable<T>, delayMs: number, isAhead: boolean): Promise<T> {
  if (isAhead) await sleep(delayMs);
  try {
    return await send();
  } finally {
    if (!isAhead) await sleep(delayMs);
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
