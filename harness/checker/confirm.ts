/**
 * The second opinion on every accusation, before anybody is told (spec/checking.md 3.7): those of the sweep go to the exhaustive
 * oracle, with all that could excuse them; those of the counts to a second count over the raw records. Disagreement is a bug of
 * ours, and told as such.
 */
import type { History, ScanRow } from '../history/history.ts';
import { decide } from '../model/oracle.ts';
import { type RawRecord, type Recount, recount } from '../model/recount.ts';
import type { Declares } from '../store-module/declares.ts';
import type { Draft, Tally } from './draft.ts';
import type { Violation, WitnessOperation } from './finding.ts';
import type { GuaranteeId } from './guarantee.ts';
import { groupByLease, guardedWrites } from './lease-rows.ts';
import { PLAN_GUARANTEES } from './plan-accuse.ts';
import { sliceOf } from './slice.ts';
import { toViolation, witnessOf } from './violation.ts';

export type { RawRecord } from '../model/recount.ts';

/** A checker accused, and the second opinion did not agree. */
export interface Disagreement {
  readonly guarantee: GuaranteeId;
  readonly key: string | undefined;
  readonly message: string;
  readonly operations: readonly WitnessOperation[];
}

type Opinion = 'confirmed' | 'unknown' | { readonly against: string };

/** Gives second opinions; groups and counts once, and only when somebody was accused. */
export interface Confirmation {
  readonly history: History;
  readonly declares: Declares;
  readonly disagreements: Disagreement[];
  readonly rowsOf: (item: number) => readonly number[];
  readonly recount: () => Recount | undefined;
}

export function confirmation(
  history: History,
  declares: Declares,
  rawRecords: (() => Iterable<RawRecord>) | undefined,
): Confirmation {
  let grouped: ReturnType<typeof groupByLease> | undefined;
  let counted: Recount | undefined;
  return {
    history,
    declares,
    disagreements: [],
    rowsOf: (item) => {
      grouped ??= groupByLease(history, guardedWrites(history));
      return [...grouped.order.subarray(grouped.start[item]!, grouped.start[item + 1]!)];
    },
    recount: () => {
      if (rawRecords) counted ??= recount(rawRecords(), declares);
      return counted;
    },
  };
}

/** The violations of one guarantee, each with what confirmed it. */
export function confirmTally(found: Tally, second: Confirmation): Violation[] {
  const { history, declares, disagreements } = second;
  return found.drafts.map((draft) => {
    const counts = COUNTED.has(draft.guarantee);
    const opinion = counts ? byCount(draft, second) : byOracle(draft, second);
    const by = counts ? 'recount' : 'oracle';
    const violation = toViolation(history, declares, draft, opinion === 'confirmed' ? by : undefined);
    if (typeof opinion !== 'string') {
      const { guarantee, key, statement } = violation;
      const message = `${guarantee}: ${statement}; ${opinion.against}`;
      disagreements.push({ guarantee, key, message, operations: witnessOf(history, draft) });
    }
    return violation;
  });
}

const COUNTED: ReadonlySet<GuaranteeId> = new Set([
  'S6',
  'S8',
  'S9',
  'S12',
  'S13',
  'S15a',
  'S16',
  'S17',
  'S19',
  'S20',
  'S22',
  ...PLAN_GUARANTEES,
  'L1',
  'L2',
  'L3',
  'L4',
]);

function byOracle(draft: Draft, { history, declares, rowsOf }: Confirmation): Opinion {
  const shown = shownInScan(history, draft.item);
  const { steps, bounded } = sliceOf(history, declares, draft, rowsOf(draft.item), shown);
  switch (decide(steps, declares, { bounded })) {
    case 'impossible':
      return 'confirmed';
    case 'possible':
      return { against: 'the exhaustive oracle finds an order of these operations that keeps every rule' };
    case 'unknown':
      return 'unknown';
  }
}

function shownInScan({ scan }: History, item: number): ScanRow | undefined {
  for (const row of scan?.rows ?? []) if (row.item === item) return row;
  return undefined;
}

function byCount(draft: Draft, { history, recount: again }: Confirmation): Opinion {
  const counted = again();
  if (!counted) return 'unknown';
  const { guarantee, item, subject, accused } = draft;
  const agrees =
    subject !== undefined
      ? counted.plans(`${guarantee} ${history.keys[item]} ${subject}`)
      : guarantee === 'S16' || guarantee === 'S20' || guarantee === 'S22'
        ? counted.board[guarantee](history.keys[item])
        : guarantee === 'L3' || guarantee === 'L4'
          ? counted.stuck(guarantee, String(history.ops.incarnation[accused]))
          : guarantee === 'S17'
            ? counted.overtakes(history.keys[item]!)
            : item < 0
              ? counted.unbalanced
              : counted.keys[guarantee as keyof Recount['keys']].has(history.keys[item]!);
  return agrees ? 'confirmed' : { against: 'a second count over the raw records does not find it' };
}
