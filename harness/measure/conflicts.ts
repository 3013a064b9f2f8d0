/** How often a call was refused because of somebody else. Pure. */
import { type History, OP, type Operations, OUTCOME, REFUSALS } from '../history/history.ts';
import { oncePerCall } from './calls.ts';
import type { Tenures } from './tenures.ts';
import { type Window, within } from './window.ts';

const EMPTY = REFUSALS.indexOf('empty');
/** Somebody else has it, has had it since, or was first. */
const ALWAYS_OTHERS: ReadonlySet<number> = new Set(
  (['held', 'stale', 'conflict', 'duplicate'] as const).map((code) => REFUSALS.indexOf(code)),
);

/** Nobody stands in the way of a read; and a verb of a plan stands around the commits that are counted. */
const READS: ReadonlySet<number> = new Set([OP.scan, OP.get, OP.list, OP.since, OP.plan]);

/** Refused because of somebody else ÷ definite answers, reads and `empty` left out of both. Undefined without answers. */
export function conflictRate({ ops }: History, tenures: Tenures, window: Window): number | undefined {
  const overtaken = overtakenCalls(ops, tenures);
  const isFirst = oncePerCall(ops);
  let answers = 0;
  let conflicts = 0;
  for (let row = 0; row < ops.length; row++) {
    if (ops.outcome[row]! > OUTCOME.refused || READS.has(ops.op[row]!)) continue;
    if (!within(window, ops.inv[row]!) || ops.code[row] === EMPTY || !isFirst(row)) continue;
    answers += 1;
    if (ops.outcome[row] !== OUTCOME.refused) continue;
    if (ALWAYS_OTHERS.has(ops.code[row]!) || overtaken.has(row)) conflicts += 1;
  }
  return answers === 0 ? undefined : conflicts / answers;
}

/** Refused holder calls whose item was certainly somebody else's by then: `completed`, `dead` or `not-held` is their doing. */
function overtakenCalls(ops: Operations, tenures: Tenures): ReadonlySet<number> {
  const rows = new Set<number>();
  for (const tenure of tenures.all) {
    if (tenure.supersededAt === Number.POSITIVE_INFINITY) continue;
    for (const row of tenure.calls) {
      if (ops.outcome[row] === OUTCOME.refused && ops.ret[row]! > tenure.supersededAt) rows.add(row);
    }
  }
  return rows;
}
