/**
 * Accusations that rest on a fenced write: the oracle confirms them on their slice, which has to hold that write. Each of these was found,
 * and made small, by `npm run soak -- differential`.
 */
import { expect, test } from 'vitest';
import { judgeHistory } from '../../../harness/checker/compose.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';
import { type CaseCall, scriptOf } from '../../support/lease-cases.ts';

const call = (
  op: CaseCall['op'],
  generation: number,
  [inv, ret]: readonly [number, number],
  more: Partial<CaseCall> = {},
): CaseCall => ({
  op,
  generation,
  inv,
  ret,
  answer: 'accepted',
  renewals: undefined,
  cut: false,
  leaseMs: 10,
  owner: 'w1',
  reacquire: false,
  shows: -1,
  ...more,
});

test.each<[string, readonly CaseCall[]]>([
  [
    'S3: the write under the first lease shows that nothing had ended it',
    [
      call('claim', 1, [10, 10]),
      call('claim', 2, [11, 11]),
      call('write', 1, [11, 11]),
      call('forceRelease', 2, [10, 10]),
      call('claim', 3, [10, 10], { answer: 'info' }),
      call('claim', 4, [10, 11]),
    ],
  ],
  [
    'S3: that write came after the accused call',
    [
      call('claim', 1, [8, 10], { leaseMs: 6 }),
      call('claim', 2, [10, 13]),
      call('heartbeat', 2, [11, 11]),
      call('write', 1, [11, 11]),
      call('claim', 3, [11, 11]),
      call('heartbeat', 3, [10, 10]),
      call('forceRelease', 3, [7, 8]),
      call('nack', 2, [5, 10]),
      call('claim', 4, [5, 5], { answer: 'refused' }),
      call('claim', 5, [6, 11]),
    ],
  ],
  [
    'S11: the write shows that the lease had been granted',
    [
      call('heartbeat', 1, [10, 11], { answer: 'info', cut: true }),
      call('write', 1, [10, 10]),
      call('claim', 1, [11, 15]),
      call('nack', 1, [23, 23]),
    ],
  ],
])('%s', (_, calls) => {
  const { history, records } = scriptOf(calls);
  const declares = { ...DEFAULT_DECLARES, items: 'on-demand', lateCalls: 'refused' } as const;
  const { findings, disagreements } = judgeHistory(history, declares, undefined, () => records);
  expect(disagreements).toEqual([]);
  expect(findings.some(({ broken }) => broken > 0)).toBe(true);
});
