/** How long each phase took. Pure. */
import type { History } from '../history/history.ts';

/** Phases in the order they were entered; the last one entered has no end, and is left out unless time is told. */
export function phaseDurations(
  history: Pick<History, 'phases'>,
  nowNs?: number,
): { readonly phase: string; readonly ms: number }[] {
  return history.phases.flatMap(({ phase, at }, i) => {
    const end = history.phases[i + 1]?.at ?? (phase === 'done' ? undefined : nowNs);
    return end === undefined ? [] : [{ phase, ms: (end - at) / 1e6 }];
  });
}
