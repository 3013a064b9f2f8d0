/** Reads the three clocks together once a second: a suspended machine or a clock step must not be blamed on the store (F18). */
import { readFileSync } from 'node:fs';
import { type HistoryWriter, stamp } from '../history/writer.ts';

const EVERY_MS = 1_000;

/** Writes one `clock` record now and one every second. Returns a function that writes the last one and stops. */
export function watchClocks(log: HistoryWriter): () => void {
  const read = (): void =>
    log.write({ type: 'clock', t: stamp(), bootMs: sinceBootMs(), wallMs: Date.now() });
  read();
  const timer = setInterval(read, EVERY_MS);
  return () => {
    clearInterval(timer);
    read();
  };
}

/** Time since boot, suspended time included. Where the kernel does not tell, the monotonic clock stands in: no suspend is seen. */
function sinceBootMs(): number {
  try {
    return Number.parseFloat(readFileSync('/proc/uptime', 'utf8')) * 1000;
  } catch {
    return stamp() / 1e6;
  }
}
