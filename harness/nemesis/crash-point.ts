import { type CrashCell, crashCells } from '../scenario/crash-cells.ts';
import { oneHolder } from './choose.ts';
import { cutting, needsPausePoints } from './cut.ts';
import type { Fault, FaultContext } from './fault.ts';

/** A worker dies or freezes between two given steps of a given call. */
export const crashPoint: Fault = {
  name: 'crash-point',
  does: 'kills a worker (SIGKILL) or stops it past its lease (SIGSTOP) at a given step of a given call: before it is sent, inside the transaction, after it is sent, after its answer',
  needs: 'for `in-transaction` a store that declares `pausePoints`',
  confirmedBy:
    "the worker's record of the call and the step, and then its exit by SIGKILL or the process state T",
  healedBy: 'a new incarnation that is ready; SIGCONT and a process state other than T',
  cannotShow: 'the inside of a server: a call that was sent acts on, whatever becomes of its sender',
  target: 'workers',
  unmet(situation) {
    const { ops, boundaries } = situation.scenario.faults!.options['crash-point'];
    if (boundaries.includes('in-transaction') && !situation.declares.pausePoints)
      return needsPausePoints('crash-point')(situation);
    const lacking = ops.filter((op) => !situation.methods.some((method) => method === op));
    if (lacking.length === 0) return undefined;
    return {
      level: 'refusal',
      what: `The store has no ${lacking.map((op) => `\`${op}\``).join(', ')}, which \`faults.options.crash-point.ops\` names.`,
      why: 'A call that is never made cannot be cut off.',
      fix: 'Take it out of the list.',
    };
  },
  choose: oneHolder,
  begin: ([target], context) =>
    cutting(target!, context, { id: context.id, fault: 'crash-point', ...cellOf(context) }),
};

/** Of those that were hit least so far the next in turn, so that none is left out. */
function cellOf({ plan, operations, nth, notes }: FaultContext): CrashCell {
  const cells = crashCells(plan.options['crash-point'], operations);
  const inTurn = cells.map((_, i) => cells[(nth + i) % cells.length]!);
  const hits = inTurn.map((cell) => notes.hitsOf(cell));
  return inTurn[hits.indexOf(Math.min(...hits))]!;
}
