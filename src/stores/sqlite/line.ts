/**
 * The waiting line of one connection for the write lock of its file.
 *
 * A call tries at once and answers at once when the lock is free and nobody is ahead of it. When the lock is taken it
 * naps twice, well under a millisecond each, and then waits by timer: heartbeats, timers and other calls of the process go
 * on meanwhile. SQLite's own busy handler would block the process, and whoever has the lock would keep it (measured:
 * waits six times as long). Holder calls stand before claims, since a lease may run out while they wait. The wait ends in
 * a definite STORE_BUSY.
 */
import type { Clock } from '../../clock.ts';
import { FencepostError } from '../../errors.ts';
import type { Awaitable } from '../../store.ts';
import { closedError } from './errors.ts';
import { nap } from './nap.ts';
import { BUSY, type Busy } from './transaction.ts';

export type Rank = 'holder' | 'claim';

/** Calls served in one turn of the event loop before other work of the process gets its turn. */
const SERVED_AT_ONCE = 16;
const NAPS = 2;
/** Below a millisecond each, jitter included. */
const NAP_MS = 0.2;
const NAP_JITTER_MS = 0.5;
const RETRY_MS = 0.2;
const MAX_RETRY_JITTER_MS = 5;

interface Waiter {
  /** On the monotonic clock. */
  readonly deadlineMs: number;
  readonly budgetMs: number;
  /** Tries once. False: the lock is taken. Otherwise the caller has its answer. */
  readonly serve: () => boolean;
  readonly fail: (error: FencepostError) => void;
}

/** The calls of one connection that wait for the write lock. */
export class WaitingLine {
  readonly #clock: Clock;
  readonly #file: string;
  readonly #waiting: Record<Rank, Waiter[]> = { holder: [], claim: [] };
  #cancelTimer: (() => void) | undefined;
  #tries = 0;
  #closed = false;

  constructor(clock: Clock, file: string) {
    this.#clock = clock;
    this.#file = file;
  }

  /**
   * Runs a try until it is not busy, or for `budgetMs()` ms; the budget is asked for only when there is a wait.
   *
   * @throws FencepostError `STORE_BUSY`, `STORE_CLOSED`: both definite. Whatever the try throws goes through.
   */
  run<T>(rank: Rank, budgetMs: () => number, attempt: () => T | Busy): Awaitable<T> {
    if (this.#closed) throw closedError(this.#file);
    const { holder, claim } = this.#waiting;
    const alone = holder.length + claim.length === 0;
    if (alone || (rank === 'holder' && holder.length === 0)) {
      // A holder call that jumps the claims does not nap: the others are already waiting by timer.
      for (let naps = 0; ; naps += 1) {
        const value = attempt();
        if (value !== BUSY) return value;
        if (!alone || naps === NAPS) break;
        nap(NAP_MS + Math.random() * NAP_JITTER_MS);
      }
    }
    return this.#wait(rank, budgetMs(), attempt);
  }

  /** Runs a try that does not want the write lock: nobody is ahead of it, and it waits only if it is busy itself. */
  read<T>(budgetMs: () => number, attempt: () => T | Busy): Awaitable<T> {
    if (this.#closed) throw closedError(this.#file);
    const value = attempt();
    return value === BUSY ? this.#wait('claim', budgetMs(), attempt) : value;
  }

  /** Refuses what waits and everything after. */
  close(): void {
    this.#closed = true;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const { holder, claim } = this.#waiting;
    for (const waiter of [...holder.splice(0), ...claim.splice(0)]) waiter.fail(closedError(this.#file));
  }

  #wait<T>(rank: Rank, budgetMs: number, attempt: () => T | Busy): Promise<T> {
    return new Promise((resolve, reject) => {
      const serve = () => {
        try {
          const value = attempt();
          if (value === BUSY) return false;
          resolve(value);
        } catch (error) {
          reject(error);
        }
        return true;
      };
      const deadlineMs = this.#clock.monotonicMs() + budgetMs;
      this.#waiting[rank].push({ deadlineMs, budgetMs, serve, fail: reject });
      this.#arm();
    });
  }

  #arm(): void {
    if (this.#cancelTimer !== undefined) return;
    const delayMs = RETRY_MS + Math.random() * Math.min(MAX_RETRY_JITTER_MS, this.#tries);
    this.#cancelTimer = this.#clock.after(delayMs, () => this.#serve());
  }

  #serve(): void {
    this.#cancelTimer = undefined;
    const { holder, claim } = this.#waiting;
    for (let served = 0; served < SERVED_AT_ONCE; served += 1) {
      const line = holder.length > 0 ? holder : claim;
      const first = line[0];
      if (first === undefined) {
        this.#tries = 0;
        return;
      }
      if (!first.serve()) {
        this.#tries += 1;
        this.#endOverdue();
        break;
      }
      line.shift();
      this.#tries = 0;
    }
    if (holder.length + claim.length > 0) this.#arm();
  }

  /** Looked at only after a try that found the lock taken: a late turn of the event loop alone makes no call fail. */
  #endOverdue(): void {
    const nowMs = this.#clock.monotonicMs();
    for (const rank of ['holder', 'claim'] as const) {
      const overdue = this.#waiting[rank].filter((waiter) => waiter.deadlineMs <= nowMs);
      if (overdue.length === 0) continue;
      this.#waiting[rank] = this.#waiting[rank].filter((waiter) => waiter.deadlineMs > nowMs);
      for (const waiter of overdue) waiter.fail(this.#busyError(waiter.budgetMs));
    }
  }

  #busyError(budgetMs: number): FencepostError {
    return new FencepostError(
      'STORE_BUSY',
      `Expected the write lock of ${this.#file} within ${Math.round(budgetMs)} ms, found it taken at every try. The call had no effect: try again.`,
      { definite: true },
    );
  }
}
