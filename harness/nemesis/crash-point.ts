import type { OperationName } from '../history/record.ts';
import type { Boundary, Cut } from '../scenario/scenario.ts';
import { oneHolder } from './choose.ts';
import { cutting, needsPausePoints } from './cut.ts';
import type { Fault, FaultContext } from './fault.ts';

/** One cell of the kill matrix. */
interface Cell {
  readonly op: OperationName;
  readonly boundary: Boundary;
  readonly cut: Cut;
}

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

/** Cell after cell in turn, so that none is left out. */
function cellOf({ plan, operations, nth }: FaultContext): Cell {
  const { ops, boundaries, cuts } = plan.options['crash-point'];
  const wanted = ops.length > 0 ? (ops as readonly OperationName[]) : operations;
  const cells = cuts.flatMap((cut) =>
    boundaries.flatMap((boundary) =>
      wanted
        .filter((op) => boundary !== 'in-transaction' || WRITES.has(op))
        .map((op) => ({ op, boundary, cut })),
    ),
  );
  return cells[nth % cells.length]!;
}

/** Calls that may run in a write transaction. */
const WRITES: ReadonlySet<OperationName> = new Set([
  'enqueue',
  'claim',
  'claimNext',
  'heartbeat',
  'complete',
  'nack',
  'release',
  'commit',
]);
