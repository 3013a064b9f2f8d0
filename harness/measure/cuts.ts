/** Workers that were really killed or stopped where they had been ordered to be. Pure. */
import type { CutNote, History } from '../history/history.ts';

/** Of the crash points that workers wrote of, those whose exit by SIGKILL, or whose stop, was seen. */
export function cutsThatStruck({ cuts, incarnations }: History): readonly CutNote[] {
  return cuts.filter(({ fault, cut, incarnation, at }) => {
    const life = incarnations.get(incarnation);
    if (fault !== 'crash-point' || !life) return false;
    return cut === 'kill' ? life.exitSignal === 'SIGKILL' : life.stopped.some(({ to }) => to > at);
  });
}
