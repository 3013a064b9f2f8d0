/**
 * Tells when a draining worker has nothing left to do: every lane has found nothing for longer than any lease of a dead
 * holder can still last. Only then is "empty" the end, and not a lease that has yet to run out (trap F11).
 */
import type { Phase } from '../history/record.ts';
import { stamp } from '../history/writer.ts';
import type { WorkerJob } from './job.ts';

const MARGIN_MS = 50;
const LOOK_EVERY_MS = 20;

export function quietWatch(
  job: WorkerJob,
  tell: (quiet: boolean) => void,
): { found(lane: number, work: boolean, phase: Phase): void; stop(): void } {
  const { leaseMs, lanes } = job.scenario;
  const { clockDrift, clockStepMs, grainMs, reapIntervalMs } = job.declares;
  const longEnoughMs = leaseMs * (1 + clockDrift) + clockStepMs + grainMs + reapIntervalMs + MARGIN_MS;
  /** Since when each lane has found nothing; undefined while it has work, or before its first look in drain. */
  const since: (number | undefined)[] = Array.from({ length: lanes });
  let quiet = false;
  const timer = setInterval(() => {
    const now = stamp() / 1e6;
    const isQuiet = since.every((at) => at !== undefined && now - at >= longEnoughMs);
    if (isQuiet === quiet) return;
    quiet = isQuiet;
    tell(quiet);
  }, LOOK_EVERY_MS);
  return {
    found(lane, work, phase) {
      if (work || phase !== 'drain') since[lane] = undefined;
      else since[lane] ??= stamp() / 1e6;
    },
    stop: () => clearInterval(timer),
  };
}
