/**
 * What is counted and judged by nobody: behaviour that a store does not promise to refrain from (spec/checking.md 3.3, "measured,
 * not judged"). One entry for each declaration that takes a guarantee away. Pure.
 */
import type { History } from '../history/history.ts';
import type { Observation } from '../report/results.ts';
import type { Declares } from '../store-module/declares.ts';
import { grantsOutOfOrder } from './grant-order.ts';
import { lateCalls } from './late-calls.ts';
import type { Share } from './share.ts';
import { staleCalls } from './stale-calls.ts';
import type { Tenures } from './tenures.ts';

interface Rule {
  readonly id: string;
  /** The sentence behind the numbers, or undefined where the store promises it, and it is judged. */
  readonly statement: (declares: Declares) => string | undefined;
  readonly count: (history: History, tenures: Tenures, declares: Declares) => Share;
}

const RULES: readonly Rule[] = [
  {
    id: 'stale-calls-accepted',
    statement: ({ fencing }) =>
      fencing === 'lock'
        ? undefined
        : `calls under a lease that somebody else had been granted since were accepted; the store declares fencing \`${fencing}\`.`,
    count: staleCalls,
  },
  {
    id: 'late-calls-accepted',
    statement: ({ lateCalls: late }) =>
      late === 'refused'
        ? undefined
        : `calls after the end of their lease, with nobody else in between, were accepted; the store declares \`lateCalls: ${late}\`.`,
    count: lateCalls,
  },
  {
    id: 'grants-out-of-order',
    statement: ({ order }) =>
      order === 'none'
        ? 'first grants passed over an item that had been enqueued earlier; the store declares `order: none`.'
        : undefined,
    count: grantsOutOfOrder,
  },
];

/** The observations that this store's declarations ask for, also where there was nothing to count. */
export function observationsOf(history: History, tenures: Tenures, declares: Declares): Observation[] {
  return RULES.flatMap(({ id, statement, count }) => {
    const text = statement(declares);
    return text === undefined ? [] : [{ id, statement: text, ...count(history, tenures, declares) }];
  });
}
