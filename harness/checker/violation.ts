/** Turns an accusation in rows into the violation that a person reads. Pure. */
import type { History } from '../history/history.ts';
import type { Declares } from '../store-module/declares.ts';
import { assumedBy } from './assumed.ts';
import type { Draft } from './draft.ts';
import { lastPage } from './evidence.ts';
import type { Violation, WitnessOperation } from './finding.ts';
import { becauseOf, statementOf } from './statement.ts';
import { witnessOperation } from './words.ts';

/** `rows` may be a part of the draft's witness: what the confirmation found to be enough. */
export function toViolation(
  history: History,
  declares: Declares,
  draft: Draft,
  confirmedBy: Violation['confirmedBy'],
  rows: readonly number[] = draft.rows,
): Violation {
  return {
    guarantee: draft.guarantee,
    key: draft.item < 0 ? undefined : history.keys[draft.item],
    statement: statementOf(history, draft),
    witness: witnessOf(history, draft, rows),
    because: becauseOf(history, draft, declares),
    assumed: draft.assumed ?? assumedBy(draft.guarantee, declares),
    at: draft.at,
    confirmedBy,
  };
}

/** In time order; the read that an accusation rests on stands last. */
export function witnessOf(
  history: History,
  draft: Draft,
  rows: readonly number[] = draft.rows,
): WitnessOperation[] {
  const { ops } = history;
  const sorted = [...rows].sort((a, b) => ops.inv[a]! - ops.inv[b]! || ops.ret[a]! - ops.ret[b]! || a - b);
  const { read, details } = draft;
  const operations = sorted.map((row) => {
    const operation = witnessOperation(history, row, row === draft.accused);
    return { ...operation, detail: details?.get(row) ?? operation.detail };
  });
  if (read === 'absent')
    operations.push({ ...witnessOperation(history, lastPage(history), false), detail: 'lacks the item' });
  else if (read) operations.push(witnessOperation(history, read.row, false, read));
  return operations;
}
