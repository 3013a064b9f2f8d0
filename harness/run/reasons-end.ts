/** Reasons that come from how the run went to its end: phases, drain, final scan, and whether anything worked at all. Pure. */
import { OP, OUTCOME } from '../history/history.ts';
import { PHASES } from '../history/record.ts';
import { isClaim } from '../measure/tenures.ts';
import { mainWindow, phaseWindow, within } from '../measure/window.ts';
import type { Reason } from '../report/results.ts';
import type { JudgeInput } from './judge-input.ts';
import { unfinished } from './unfinished.ts';
import { firstFew } from './verdict.ts';

/** A run goes through every phase; one that stopped before says which it did not reach. */
export function phaseReasons({ history, interrupted }: JudgeInput): Reason[] {
  if (interrupted) {
    return [
      {
        verdict: 'inconclusive',
        code: 'INTERRUPTED',
        message: 'The run was interrupted; what had been recorded by then was checked.',
        fix: 'Run again and let it end.',
      },
    ];
  }
  const reached = new Set(history.phases.map(({ phase }) => phase));
  const missing = PHASES.filter((phase) => !reached.has(phase));
  if (missing.length === 0) return [];
  return [
    {
      verdict: 'inconclusive',
      code: 'PHASE_NOT_REACHED',
      message: `The run ended before ${missing[0] === 'done' ? 'its end' : `phase \`${missing[0]}\``}.`,
      fix: 'See the other reasons; if there are none, give the phases more time (`phases`).',
    },
  ];
}

/** Drain must finish, and the final scan must be whole and come after it (F6, F11). */
export function endReasons(input: JudgeInput): Reason[] {
  const { history, declares, methods, interrupted } = input;
  if (interrupted) return [];
  const left = unfinished(history, declares, methods);
  const reasons =
    left.length === 0 ? [] : [drainUnfinished(left.map(({ key, state }) => `${key} (${state})`))];
  if (methods && !methods.includes('scan')) return reasons;
  return [...reasons, ...scanReasons(input)];
}

const drainUnfinished = (items: readonly string[]): Reason => ({
  verdict: 'inconclusive',
  code: 'DRAIN_UNFINISHED',
  message: `${items.length} ${items.length === 1 ? 'item was' : 'items were'} neither done nor dead after drain: ${firstFew(items)}.`,
  fix: 'Give the drain more time (`phases.drain.max`). If it does not help, the store may never hand these items out again.',
});

function scanReasons({ history }: JudgeInput): Reason[] {
  const { scan } = history;
  const reason = (code: string, message: string): Reason[] => [
    {
      verdict: 'inconclusive',
      code,
      message,
      fix: 'Give the final scan more time (`phases.scan.max`) and run again.',
    },
  ];
  if (!scan)
    return reason('SCAN_MISSING', 'There was no final scan: what the store holds at the end is unknown.');
  if (!scan.complete) return reason('SCAN_INCOMPLETE', 'The final scan was not read to its end.');
  const drained = phaseWindow(history, 'scan');
  if (drained && scan.startedAt < drained.from)
    return reason('SCAN_TOO_EARLY', 'The final scan began before drain was over.');
  const late = lastAnswer(history.ops);
  if (late > scan.startedAt) {
    return reason('SCAN_TOO_EARLY', 'The final scan began while calls of workers were still under way.');
  }
  return [];
}

/** The latest instant at which a worker's call still got its answer, or was cut off by the end of its process. */
function lastAnswer(ops: JudgeInput['history']['ops']): number {
  let last = Number.NEGATIVE_INFINITY;
  for (let row = 0; row < ops.length; row++) {
    const ret = ops.ret[row]!;
    if (ops.op[row] !== OP.scan && ret > last && ret < Number.POSITIVE_INFINITY) last = ret;
  }
  return last;
}

/** A store that refuses everything breaks nothing: some work must have been done while faults were on (case A27). */
export function successReasons({ history, run }: JudgeInput): Reason[] {
  const { ops } = history;
  const main = mainWindow(history);
  let accepted = 0;
  for (let row = 0; row < ops.length && accepted === 0; row++) {
    const counts = isClaim(ops, row) || ops.op[row] === OP.heartbeat || ops.op[row] === OP.complete;
    if (counts && ops.outcome[row] === OUTCOME.accepted && within(main, ops.inv[row]!)) accepted += 1;
  }
  if (accepted > 0) return [];
  const message = run
    ? 'no successful claim, heartbeat or complete in the fault phase'
    : 'no successful claim, heartbeat or complete in the history';
  return [
    {
      verdict: 'inconclusive',
      code: 'NO_SUCCESS_IN_MAIN',
      message,
      fix: 'See that the store answers at all: the errors that it gave are in the history files.',
    },
  ];
}
