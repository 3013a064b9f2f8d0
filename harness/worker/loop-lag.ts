/** Records how late this process's event loop runs: a heartbeat that a busy loop delays is ours, not the store's (trap F9). */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type HistoryWriter, stamp } from '../history/writer.ts';

const EVERY_MS = 1_000;
const RESOLUTION_MS = 10;

/** One `loop` record a second, and one soon after `flush`. */
export function watchLoop(writer: HistoryWriter): { flush(): void; stop(): void } {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const write = (): void => {
    if (delay.count === 0) return;
    // The monitor measures the gap between two timers; what lies above its resolution is the lag.
    const lag = (ns: number): number => Math.max(0, Math.round((ns / 1e6 - RESOLUTION_MS) * 1000) / 1000);
    writer.write({ type: 'loop', t: stamp(), p99Ms: lag(delay.percentile(99)), maxMs: lag(delay.max) });
    delay.reset();
  };
  const timer = setInterval(write, EVERY_MS);
  let flushing: NodeJS.Timeout | undefined;
  return {
    // The monitor sees a gap only when its own timer comes round again.
    flush() {
      flushing ??= setTimeout(() => {
        flushing = undefined;
        write();
      }, 3 * RESOLUTION_MS);
    },
    stop() {
      clearInterval(timer);
      clearTimeout(flushing);
      delay.disable();
    },
  };
}
