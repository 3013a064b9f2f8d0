/** The cells of the kill matrix: which call is cut off at which step, and how. Pure. */
import type { OperationName } from '../history/record.ts';
import type { Boundary, Cut, FaultOptions } from './scenario.ts';

export interface CrashCell {
  readonly op: OperationName;
  readonly boundary: Boundary;
  readonly cut: Cut;
}

/** Calls that may run in a write transaction. */
const WRITES: ReadonlySet<string> = new Set([
  'enqueue',
  'claim',
  'claimNext',
  'heartbeat',
  'complete',
  'nack',
  'release',
  'commit',
]);

/** Every combination that the options ask for; `operations`: the calls of the workload, where no call is named. */
export function crashCells(
  { ops, boundaries, cuts }: FaultOptions['crash-point'],
  operations: readonly OperationName[],
): readonly CrashCell[] {
  const wanted = ops.length > 0 ? (ops as readonly OperationName[]) : operations;
  return cuts.flatMap((cut) =>
    boundaries.flatMap((boundary) =>
      wanted
        .filter((op) => boundary !== 'in-transaction' || WRITES.has(op))
        .map((op) => ({ op, boundary, cut })),
    ),
  );
}
