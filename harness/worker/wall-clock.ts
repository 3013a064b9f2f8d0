/**
 * The wall clock of this process, so that it can be wrong: `Date` and `performance.timeOrigin` are replaced before the store
 * module is loaded. The monotonic clock (`process.hrtime`, `performance.now`) and timers stay as they are. What reads the
 * time in native code (SQLite's `datetime('now')`) is not reached.
 */
import { performance } from 'node:perf_hooks';

const RealDate = Date;
const realNow = RealDate.now.bind(RealDate);

let offsetMs = 0;
let rate = 0;
let since = 0;

const now = (): number =>
  offsetMs === 0 && rate === 0
    ? realNow()
    : Math.floor(realNow() + offsetMs + rate * (performance.now() - since));

/** From now on the clock is off by `offset` ms, and goes off by `drift` ms more each ms. 0 and 0: it is right again. */
export function skewWallClock(offset: number, drift: number): void {
  offsetMs = offset;
  rate = drift;
  since = performance.now();
}

/** Puts the clock that can be skewed in the place of the real one. Once a process, before anything else is loaded. */
export function installWallClock(): void {
  const skewed: DateConstructor = new Proxy(RealDate, {
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(
        target,
        args.length === 0 ? [now()] : args,
        newTarget === skewed ? target : newTarget,
      ) as object,
    apply: () => new RealDate(now()).toString(),
    get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
  });
  RealDate.prototype.constructor = skewed;
  globalThis.Date = skewed;
  Object.defineProperty(performance, 'timeOrigin', {
    configurable: true,
    get: () => now() - performance.now(),
  });
}
