/** The time in which liveness may be judged: after every fault was confirmed off (F15). Pure. */
import type { History } from '../history/history.ts';

export interface Calm {
  readonly from: number;
  readonly to: number;
}

/** The drain, where every fault is known to be healed. Undefined for files without phases, and where a heal failed. */
export function calmOf({ phases, faults }: History): Calm | undefined {
  const index = phases.findIndex(({ phase }) => phase === 'drain');
  if (index < 0 || faults.some(({ outcome }) => outcome === 'failed')) return undefined;
  return { from: phases[index]!.at, to: phases[index + 1]?.at ?? Number.POSITIVE_INFINITY };
}
