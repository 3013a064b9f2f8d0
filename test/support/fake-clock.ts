/** A `Clock` that only moves when a test says so (@sinonjs/fake-timers, not installed: nothing global is touched). */
import { createClock } from '@sinonjs/fake-timers';
import type { Clock } from '../../src/clock.ts';

export interface FakeClock extends Clock {
  /** Lets time pass on both clocks and runs the timers that fall due. */
  advance(ms: number): void;
  /** As `advance`, and lets promises settle in between. */
  advanceAsync(ms: number): Promise<void>;
  /** Steps the wall clock. Monotonic time does not notice. */
  stepWall(ms: number): void;
  /** Timers that wait. */
  timers(): number;
}

export interface FakeClockOptions {
  /** @default 0 */
  readonly wallMs?: number;
  /** Reading of the monotonic clock at the start: time since boot. @default 0 */
  readonly monotonicMs?: number;
  /** @default 'boot-1' */
  readonly bootId?: string | undefined;
}

export function createFakeClock(options: FakeClockOptions = {}): FakeClock {
  const { wallMs = 0, monotonicMs = 0 } = options;
  const clock = createClock(wallMs);
  return {
    bootId: 'bootId' in options ? options.bootId : 'boot-1',
    monotonicMs() {
      const [seconds = 0, nanoseconds = 0] = clock.hrtime();
      return monotonicMs + seconds * 1e3 + nanoseconds / 1e6;
    },
    wallMs: () => clock.now,
    after(ms, fn) {
      const timer = clock.setTimeout(fn, ms);
      return () => clock.clearTimeout(timer);
    },
    advance: (ms) => void clock.tick(ms),
    advanceAsync: async (ms) => void (await clock.tickAsync(ms)),
    stepWall: (ms) => clock.setSystemTime(clock.now + ms),
    timers: () => clock.countTimers(),
  };
}

/** The same machine seen by a process whose wall clock is wrong by `skewMs`. */
export function skewed(clock: Clock, skewMs: number): Clock {
  return {
    bootId: clock.bootId,
    monotonicMs: () => clock.monotonicMs(),
    wallMs: () => clock.wallMs() + skewMs,
    after: (ms, fn) => clock.after(ms, fn),
  };
}
