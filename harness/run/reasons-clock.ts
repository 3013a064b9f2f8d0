/** Reasons that come from the machine's clocks: a suspend, or a step of the wall clock (F18). Pure. */
import type { Reason } from '../report/results.ts';
import type { JudgeInput } from './judge-input.ts';

/** The three clocks are read one after the other, and a busy machine may take the processor away in between. */
const SUSPEND_TOLERANCE_MS = 500;
const WALL_TOLERANCE_MS = 100;

/** Compares what the clocks say went by between two samples. */
export function clockReasons({ history, declares }: JudgeInput): Reason[] {
  const dependsOnWall = declares.clock !== 'store-monotonic';
  const reasons: Reason[] = [];
  history.clockSamples.forEach((sample, i) => {
    const before = history.clockSamples[i - 1];
    if (!before) return;
    const passedMs = (sample.at - before.at) / 1e6;
    // The monotonic clock stands still while the machine sleeps; the clock since boot does not.
    const sleptMs = sample.bootMs - before.bootMs - passedMs;
    if (sleptMs > SUSPEND_TOLERANCE_MS) {
      reasons.push({
        verdict: 'inconclusive',
        code: 'SUSPENDED',
        message: `The machine was suspended for ${Math.round(sleptMs)} ms during the run.`,
        fix: 'Run again on a machine that stays awake.',
      });
    }
    const steppedMs = sample.wallMs - before.wallMs - passedMs;
    if (dependsOnWall && Math.abs(steppedMs) > declares.clockStepMs + WALL_TOLERANCE_MS) {
      reasons.push({
        verdict: 'inconclusive',
        code: 'CLOCK_STEPPED',
        message: `The wall clock stepped by ${Math.round(steppedMs)} ms during the run, and the store's leases end by it (declared clock \`${declares.clock}\`, steps up to ${declares.clockStepMs} ms).`,
        fix: 'Stop the clock from being set during a run, or declare `clockStepMs`.',
      });
    }
  });
  return reasons;
}
