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
  /** Runs `fn` once after `ms`. Returns a function that cancels it. */
  after(ms: number, fn: () => void): () => void;
}

/** The machine's clock. `bootId` comes from the Linux kernel; elsewhere it is undefined. */
export const systemClock: Clock = {
  monotonicMs: () => Number(process.hrtime.bigint()) / 1e6,
  wallMs: () => Date.now(),
  bootId: readBootId(),
  after(ms, fn) {
    const timer = setTimeout(fn, ms);
    return () => clearTimeout(timer);
  },
};

function readBootId(): string | undefined {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}
