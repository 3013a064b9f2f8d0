/**
 * Time, behind one interface. The only file of the core that reads a clock or sets a timer, so that every rule can be
 * tested with a fake one (`@sinonjs/fake-timers`).
 */
import { readFileSync } from 'node:fs';

/** Two clocks and a timer. Monotonic time decides; wall time is only for people and for anchoring after a reboot. */
export interface Clock {
  /** Milliseconds of a clock that never steps. On one Linux host it is the same clock in every process. */
  monotonicMs(): number;
  /** Milliseconds since 1970. May step. */
  wallMs(): number;
  /** Names this boot of the kernel: monotonic readings compare only within one. Undefined where none can be had. */
  readonly bootId: string | undefined;
  /**
   * Runs `fn` once after `ms`, at most 2^31 - 1 (24.8 days; `afterLong` has no limit). Returns a function that cancels it.
   * `background`: it does not keep the process alive.
   */
  after(ms: number, fn: () => void, background?: boolean): () => void;
}

/** The machine's clock. `bootId` comes from the Linux kernel; elsewhere it is undefined. */
export const systemClock: Clock = {
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  bootId: readBootId(),
  after(ms, fn, background = false) {
    const timer = setTimeout(fn, ms);
    if (background) timer.unref();
    return () => clearTimeout(timer);
  },
};

/** The longest time that a timer of Node can wait. A longer one fires at once (cases.md A16). */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** As `clock.after`, for any finite time. */
export function afterLong(clock: Clock, ms: number, fn: () => void, background = false): () => void {
  const dueMs = clock.monotonicMs() + ms;
  let cancel = () => {};
  const arm = () => {
    const leftMs = dueMs - clock.monotonicMs();
    cancel =
      leftMs > TIMER_MAX_MS
        ? clock.after(TIMER_MAX_MS, arm, background)
        : clock.after(Math.max(0, leftMs), fn, background);
  };
  arm();
  return () => cancel();
}

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
