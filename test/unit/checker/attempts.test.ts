import { describe, expect, test } from 'vitest';
import { judgeSituation, testSituations, violationsOf } from '../../support/guarantee-table.ts';
import type { Worker } from '../../support/history-script.ts';

const ENQUEUED = { items: 'enqueued' } as const;

/** Claims and hands back `times` times, from `from` ms on. */
function tries(worker: Worker, key: string, times: number, from = 2): void {
  for (let n = 1; n <= times; n++) {
    const at = from + n * 4;
    worker.claim(key, { at: [at, at + 1], generation: n, attempt: n });
    worker.nack(key, { at: [at + 2, at + 3], generation: n });
  }
}

describe('S12 attempts counted', () => {
  testSituations([
    {
      name: 'S12 - dead at its limit, attempts shown - valid',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 3 });
        tries(w1, 'a', 3);
        h.scan([100, 101], [{ key: 'a', state: 'dead', attempts: 3 }]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'S12 - granted beyond its limit (M22) - violated',
      write: ({ w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 2 });
        tries(w1, 'a', 3);
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - dead one grant before its limit (M22) - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 3 });
        tries(w1, 'a', 2);
        h.scan([100, 101], [{ key: 'a', state: 'dead' }]);
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - refused as dead before its limit (M45) - violated',
      write: ({ w1, w2 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 3 });
        tries(w1, 'a', 1);
        w2.claim('a', { at: [20, 21], answer: 'dead' });
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - dead, and a claim without an answer may have been the last attempt - valid',
      write: ({ h, w1, w2 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 3 });
        tries(w1, 'a', 2);
        w2.claimNext({ at: 40 });
        h.scan([100, 101], [{ key: 'a', state: 'dead', attempts: 3 }]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'S12 - dead without a limit - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1] });
        tries(w1, 'a', 2);
        h.scan([100, 101], [{ key: 'a', state: 'dead' }]);
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - an attempt not counted (M23) - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 9 });
        tries(w1, 'a', 3);
        h.scan([100, 101], [{ key: 'a', state: 'open', attempts: 2 }]);
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - more attempts than anybody can have had - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 9 });
        tries(w1, 'a', 3);
        h.scan([100, 101], [{ key: 'a', state: 'open', attempts: 5 }]);
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - a release gave its attempt back, as declared - valid',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 2 });
        w1.claim('a', { at: [2, 3], generation: 1, attempt: 1 });
        w1.release('a', { at: [4, 5], generation: 1 });
        tries(w1, 'a', 0);
        w1.claim('a', { at: [6, 7], generation: 2, attempt: 1 });
        w1.nack('a', { at: [8, 9], generation: 2 });
        w1.claim('a', { at: [10, 11], generation: 3, attempt: 2 });
        h.scan([100, 101], [{ key: 'a', state: 'leased', attempts: 2 }]);
      },
      declares: { ...ENQUEUED, releaseRefundsAttempt: true },
    },
    {
      name: 'S12 - a release gave its attempt back, and nobody declared that - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 9 });
        w1.claim('a', { at: [2, 3], generation: 1 });
        w1.release('a', { at: [4, 5], generation: 1 });
        h.scan([100, 101], [{ key: 'a', state: 'open', attempts: 0 }]);
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - a grant that calls itself the third of two - violated',
      write: ({ w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 9 });
        tries(w1, 'a', 1);
        w1.claim('a', { at: [20, 21], generation: 2, attempt: 3 });
      },
      declares: ENQUEUED,
      broken: ['S12'],
    },
    {
      name: 'S12 - the store declares that it has no limit - not judged',
      write: ({ w1 }) => {
        w1.enqueue('a', { at: [0, 1], maxAttempts: 2 });
        tries(w1, 'a', 3);
      },
      declares: { ...ENQUEUED, maxAttempts: false },
    },
    { name: 'S12 - no history - valid', write: () => {}, declares: ENQUEUED },
  ]);

  test('names the item, the grants and the limit', () => {
    const [violation] = violationsOf(
      judgeSituation({
        name: '',
        write: ({ w1 }) => {
          w1.enqueue('a', { at: [0, 1], maxAttempts: 2 });
          tries(w1, 'a', 3);
        },
        declares: ENQUEUED,
      }),
    );
    expect(violation?.statement).toBe(
      'a was granted 3 times, and its limit is 2; an item must not be granted beyond its limit',
    );
  });
});
