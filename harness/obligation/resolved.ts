/**
 * O6, lost completions: of completions whose answer was lost, some were found to have acted, and some not to have. Only then did the
 * checkers meet both.
 *
 * Counted from answers. It acted: the final scan shows its request, or a later call was told that the item is completed
 * while no other completion can have done it. It did not: the item was granted again under a later generation, for a completion that acts
 * is the last of its item, and a later grant fences it.
 */
import { type History, OP, OUTCOME, REFUSALS, requestOf } from '../history/history.ts';
import type { Tenure } from '../measure/tenures.ts';
import { within } from '../measure/window.ts';
import type { ObligationContext } from './context.ts';
import { claims, type Evidence, lacks, type ObligationRule } from './rule.ts';

const COMPLETED = REFUSALS.indexOf('completed');
const asked = (context: ObligationContext): boolean =>
  claims(context) && context.workload.includes('complete') && context.faults.has('lose-reply');

export const foundActed: ObligationRule = {
  id: 'O6.acted',
  name: 'lost answers, acted',
  statement: 'A `complete` of main was never answered, and was found to have acted.',
  min: 1,
  advice: 'Lose more answers (`faults.lose-reply`), or run longer (`phases.main.max`).',
  asked,
  notTested: (context) => lacks(context, 'complete'),
  count: (evidence, { declares }) => {
    const { history } = evidence;
    const done = completedBy(history, declares.showsRequest);
    return lostCompletions(evidence).filter(
      ({ row }) => done.requests.has(requestOf(history.ops, row)) || done.only(row),
    ).length;
  },
};

export const foundNot: ObligationRule = {
  id: 'O6.not',
  name: 'lost answers, not acted',
  statement:
    'A `complete` of main was never answered, and was found not to have acted: its item was granted again.',
  min: 1,
  advice:
    'Lose more answers while workers are stopped for longer than a lease (`faults.lose-reply`, `faults.pause`).',
  asked,
  notTested: (context) =>
    lacks(context, 'complete') ??
    (context.declares.fencing === 'lock' && context.declares.tokens !== 'none'
      ? undefined
      : 'the store fences nobody by the lease row: a later grant does not show that a completion did not act'),
  count: (evidence) => {
    const { ops } = evidence.history;
    const later = ({ tenure, row }: Lost): boolean =>
      tenure.next !== undefined && ops.inv[tenure.next.grant]! > ops.inv[row]!;
    return lostCompletions(evidence).filter(
      (lost) => later(lost) || lost.tenure.supersededAt < ops.inv[lost.row]!,
    ).length;
  },
};

interface Lost {
  readonly tenure: Tenure;
  readonly row: number;
}

/** Completions of main without an answer, which were told so or whose process died. */
function lostCompletions({ history, tenures, main }: Evidence): Lost[] {
  const { ops } = history;
  const lost: Lost[] = [];
  for (const tenure of tenures.all) {
    for (const row of tenure.calls) {
      const isLost = ops.op[row] === OP.complete && ops.outcome[row] === OUTCOME.info;
      if (isLost && within(main, ops.inv[row]!)) lost.push({ tenure, row });
    }
  }
  return lost;
}

/** Who completed what, as far as it was told. */
function completedBy(history: History, showsRequest: boolean) {
  const { ops, scan } = history;
  const requests = new Set<string>();
  if (showsRequest)
    for (const { completedBy: by } of scan?.rows ?? []) if (by !== undefined) requests.add(by);
  /** Item → when somebody was first told that it is completed; and the completions that may have done it. */
  const told = new Map<number, number>();
  const possible = new Map<number, number>();
  for (let row = 0; row < ops.length; row++) {
    const item = ops.item[row]!;
    if (ops.outcome[row] === OUTCOME.refused && ops.code[row] === COMPLETED && item >= 0)
      told.set(item, Math.max(told.get(item) ?? 0, ops.ret[row]!));
    const may = ops.outcome[row] === OUTCOME.accepted || ops.outcome[row] === OUTCOME.info;
    if (ops.op[row] === OP.complete && may) possible.set(item, (possible.get(item) ?? 0) + 1);
  }
  return {
    requests,
    only: (row: number): boolean =>
      possible.get(ops.item[row]!) === 1 && (told.get(ops.item[row]!) ?? 0) > ops.inv[row]!,
  };
}
