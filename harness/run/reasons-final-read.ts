/** Reasons that come from the final reads: each must be there, be whole, and come after everything else (F6). Pure. */
import { OP } from '../history/history.ts';
import { phaseWindow } from '../measure/window.ts';
import type { Reason } from '../report/results.ts';
import type { JudgeInput } from './judge-input.ts';

interface FinalRead {
  /** As in "the final scan". */
  readonly name: string;
  readonly read: { readonly complete: boolean; readonly startedAt: number } | undefined;
}

/** The first thing that is wrong with each read that the store and the workload call for. */
export function finalReadReasons(input: JudgeInput): Reason[] {
  return demanded(input).flatMap((final) => reasonOf(final, input));
}

/** Items are read wherever the store shows them; entries and the feed, where the workload wrote entries. */
function demanded({ history, methods, scenario }: JudgeInput): FinalRead[] {
  const onBoard = (scenario?.workload.kind ?? 'work') !== 'work';
  return [
    ...(methods === undefined || methods.includes('scan')
      ? [{ name: 'final scan', read: history.scan }]
      : []),
    ...(onBoard && methods?.includes('list')
      ? [{ name: 'final read of the entries', read: history.finalEntries }]
      : []),
    ...(onBoard && methods?.includes('since')
      ? [{ name: 'final read of the feed', read: history.finalFeed }]
      : []),
    ...(scenario?.workload.kind === 'plan'
      ? [{ name: 'final read of the plans', read: history.finalPlans }]
      : []),
  ];
}

function reasonOf({ name, read }: FinalRead, { history }: JudgeInput): Reason[] {
  const reason = (code: string, message: string): Reason[] => [
    {
      verdict: 'inconclusive',
      code,
      message,
      fix: 'Give the final scan more time (`phases.scan.max`) and run again.',
    },
  ];
  if (!read)
    return reason('SCAN_MISSING', `There was no ${name}: what the store holds at the end is unknown.`);
  if (!read.complete) return reason('SCAN_INCOMPLETE', `The ${name} was not read to its end.`);
  const drained = phaseWindow(history, 'scan');
  if (drained && read.startedAt < drained.from)
    return reason('SCAN_TOO_EARLY', `The ${name} began before drain was over.`);
  if (lastAnswer(history) > read.startedAt) {
    return reason('SCAN_TOO_EARLY', `The ${name} began while calls of workers were still under way.`);
  }
  return [];
}

/** The latest instant at which a worker's call still got its answer, or was cut off by the end of its process. */
function lastAnswer({ ops, incarnations }: JudgeInput['history']): number {
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < ops.length; row++) {
    const ret = ops.ret[row]!;
    if (ret <= last || ret === Number.POSITIVE_INFINITY || ops.op[row] === OP.scan) continue;
    if (incarnations.get(ops.incarnation[row]!)?.role !== 'scanner') last = ret;
  }
  return last;
}
