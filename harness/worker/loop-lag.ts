/** Records how late this process's event loop runs: a heartbeat that a busy loop delays is ours, not the store's (trap F9). */
import { createHistogram } from 'node:perf_hooks';
import { HistoryUnwritable, type HistoryWriter, stamp } from '../history/writer.ts';

const EVERY_MS = 1_000;
const RESOLUTION_MS = 10;

/**
 * One `loop` record a second, and one soon after `flush`. Measured by a timer of our own: `monitorEventLoopDelay` forgets the
 * gap that it is in whenever it is reset, and that gap may be the one that matters.
 */
export function watchLoop(writer: HistoryWriter): { flush(): void; stop(): void } {
  const lags = createHistogram();
  let last = stamp();
  const ticking = setInterval(() => {
    const now = stamp();
    // What lies above the timer's own interval is the lag. A histogram holds whole numbers from 1.
    lags.record(Math.max(1, Math.round(now - last - RESOLUTION_MS * 1e6)));
    last = now;
  }, RESOLUTION_MS);
  const write = (): void => {
    if (lags.count === 0) return;
    try {
      writer.write({ type: 'loop', t: stamp(), p99Ms: inMs(lags.percentile(99)), maxMs: inMs(lags.max) });
    } catch (error) {
      // The next call of a lane meets the same, and ends the process in order.
      if (!(error instanceof HistoryUnwritable)) throw error;
    }
    lags.reset();
  };
  const writing = setInterval(write, EVERY_MS);
  let flushing: NodeJS.Timeout | undefined;
  return {
    // The lag is known once the timer has come round again.
    flush() {
      flushing ??= setTimeout(() => {
        flushing = undefined;
        write();
      }, 2 * RESOLUTION_MS);
    },
    stop() {
      clearInterval(ticking);
      clearInterval(writing);
      clearTimeout(flushing);
    },
  };
}

/** Microseconds are enough. */
const inMs = (ns: number): number => Math.round(ns / 1000) / 1000;
