/** Reasons that come from how the run went to its end: phases, drain, final scan, and whether anything worked at all. Pure. */
import { OP, OUTCOME } from '../history/history.ts';
import { PHASES } from '../history/record.ts';
import { isClaim } from '../measure/tenures.ts';
import { mainWindow, within } from '../measure/window.ts';
import type { Reason } from '../report/results.ts';
import { worksOnLeases } from '../scenario/kind.ts';
import type { JudgeInput } from './judge-input.ts';
import { finalReadReasons } from './reasons-final-read.ts';
import { openTasks, unfinished } from './unfinished.ts';
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
  const open = openTasks(history);
  const ofPlans = open.length === 0 ? [] : [tasksOpen(open.map(({ key, state }) => `${key} (${state})`))];
  return [...reasons, ...ofPlans, ...finalReadReasons(input)];
}

const drainUnfinished = (items: readonly string[]): Reason => ({
  verdict: 'inconclusive',
  code: 'DRAIN_UNFINISHED',
  message: `${items.length} ${items.length === 1 ? 'item was' : 'items were'} neither done nor dead after drain: ${firstFew(items)}.`,
  fix: 'Give the drain more time (`phases.drain.max`). If it does not help, the store may never hand these items out again.',
});

const tasksOpen = (tasks: readonly string[]): Reason => ({
  verdict: 'inconclusive',
  code: 'DRAIN_UNFINISHED',
  message: `${tasks.length} ${tasks.length === 1 ? 'task of a plan was' : 'tasks of plans were'} still open after drain: ${firstFew(tasks)}.`,
  fix: 'Give the drain more time (`phases.drain.max`). If it does not help, the plan may never hand these tasks out again.',
});

/** A store that refuses everything breaks nothing: some work must have been done while faults were on (case A27). */
export function successReasons({ history, run, scenario }: JudgeInput): Reason[] {
  const { ops } = history;
  const main = mainWindow(history);
  let accepted = 0;
  for (let row = 0; row < ops.length && accepted === 0; row++) {
    const op = ops.op[row];
    const counts = isClaim(ops, row) || op === OP.heartbeat || op === OP.complete || op === OP.commit;
    if (counts && ops.outcome[row] === OUTCOME.accepted && within(main, ops.inv[row]!)) accepted += 1;
  }
  if (accepted > 0) return [];
  const leases = worksOnLeases(scenario?.workload.kind ?? 'work');
  const what = leases ? 'no successful claim, heartbeat or complete' : 'no successful commit';
  const message = `${what} in the ${run ? 'fault phase' : 'history'}`;
  return [
    {
      verdict: 'inconclusive',
      code: 'NO_SUCCESS_IN_MAIN',
      message,
      fix: 'See that the store answers at all: the errors that it gave are in the history files.',
    },
  ];
}
