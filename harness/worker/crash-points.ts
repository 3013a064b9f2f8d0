/**
 * Kills or stops this process at a given step of a given call. It writes an `at` record and sends itself the signal the next
 * moment: no signal from outside comes that exactly.
 */
import type { AtRecord } from '../history/record.ts';
import { type HistoryWriter, stamp } from '../history/writer.ts';
import type { Boundary } from '../scenario/scenario.ts';
import type { CallName } from './call-hooks.ts';
import type { CutOrder } from './job.ts';

export class CrashPoints {
  readonly #writer: HistoryWriter;
  readonly #armed = new Map<number, CutOrder & { left: number }>();
  /** The call whose own code runs right now, when one does. */
  #inside: CallName | undefined;

  constructor(writer: HistoryWriter) {
    this.#writer = writer;
  }

  arm(order: CutOrder): void {
    this.#armed.set(order.id, { ...order, left: order.skip ?? 0 });
  }

  /** False when it was not armed, or has been hit. */
  disarm(id: number): boolean {
    return this.#armed.delete(id);
  }

  /** A call has come to a step. */
  reach(boundary: Boundary, call: CallName | undefined, point?: string): void {
    for (const order of this.#armed.values()) {
      if (order.boundary !== boundary || (order.op !== undefined && order.op !== call?.op)) continue;
      if (order.left > 0) order.left -= 1;
      else this.#cut(order, call, point);
    }
  }

  /** Runs the part of a call that the store does at once, so that pause points know whose they are. */
  within<T>(call: CallName, send: () => T): T {
    this.#inside = call;
    try {
      return send();
    } finally {
      this.#inside = undefined;
    }
  }

  /** What a store calls inside its transactions. */
  readonly pausePoint = (name: string): void => this.reach('in-transaction', this.#inside, name);

  #cut(order: CutOrder, call: CallName | undefined, point: string | undefined): void {
    this.#armed.delete(order.id);
    const { id, fault, boundary, cut } = order;
    const record: AtRecord = {
      type: 'at',
      t: stamp(),
      id,
      fault,
      boundary,
      cut,
      ...call,
      ...(point === undefined ? {} : { point }),
    };
    this.#writer.write(record);
    process.kill(process.pid, cut === 'kill' ? 'SIGKILL' : 'SIGSTOP');
  }
}
