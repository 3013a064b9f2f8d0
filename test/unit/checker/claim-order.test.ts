/** S17: first come, first served. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkClaimOrder } from '../../../harness/checker/claim-order.ts';
import { callsOf } from '../../../harness/model/raw-calls.ts';
import { recountOrder } from '../../../harness/model/recount-order.ts';
import type { Declares } from '../../../harness/store-module/declares.ts';
import {
  judgeSituation,
  type Situation,
  type Stage,
  TABLE_DECLARES,
  testSituations,
  violationsOf,
} from '../../support/guarantee-table.ts';
import { type BatchCall, script } from '../../support/history-script.ts';

const fifo: Partial<Declares> = { order: 'fifo', items: 'enqueued' };

const both = ({ w1 }: Stage): void => {
  w1.enqueue('q/a', { at: [0, 1] });
  w1.enqueue('q/b', { at: [2, 3] });
};
const next = (at: BatchCall['at'], ...keys: string[]): BatchCall => ({
  at,
  prefix: 'q/',
  limit: Math.max(1, keys.length),
  grants: keys.map((key) => ({ key, generation: 1 })),
});

const situations: Situation[] = [
  {
    name: 'S17 - the first item goes first - holds',
    write: (stage) => {
      both(stage);
      stage.w2.claimNext(next([4, 5], 'q/a'));
      stage.w2.claimNext(next([6, 7], 'q/b'));
    },
  },
  {
    name: 'S17 - the second item goes first - broken',
    write: (stage) => {
      both(stage);
      stage.w2.claimNext(next([4, 5], 'q/b'));
      stage.w2.claimNext(next([6, 7], 'q/a'));
    },
    broken: ['S17'],
  },
  {
    name: 'S17 - the second item goes first, the other never - broken',
    write: (stage) => {
      both(stage);
      stage.w2.claimNext(next([4, 5], 'q/b'));
    },
    broken: ['S17'],
  },
  {
    name: 'S17 - both go at once, in any order - holds',
    write: (stage) => {
      both(stage);
      stage.w2.claimNext(next([4, 5], 'q/b', 'q/a'));
    },
  },
  {
    name: 'S17 - the enqueues overlap - holds',
    write: ({ w1, w2 }) => {
      w1.enqueue('q/a', { at: [0, 2] });
      w2.enqueue('q/b', { at: [2, 3] });
      w2.claimNext(next([4, 5], 'q/b'));
    },
  },
  {
    name: 'S17 - both came in one enqueue - holds',
    write: ({ w1 }) => {
      w1.enqueue(['q/a', 'q/b'], { at: [0, 1] });
      w1.claimNext(next([4, 5], 'q/b'));
    },
  },
  {
    name: 'S17 - another claim may have taken the first at that time - holds',
    write: (stage) => {
      both(stage);
      stage.w2.claimNext(next([4, 6], 'q/b'));
      stage.w3.claimNext(next([6, 7], 'q/a'));
    },
  },
  {
    name: 'S17 - a claim of unknown outcome may have taken the first - holds',
    write: (stage) => {
      both(stage);
      stage.w3.claimNext({ at: 2, prefix: 'q/' });
      stage.w2.claimNext(next([4, 5], 'q/b'));
    },
  },
  {
    name: 'S17 - a claim of unknown outcome, but its process was over before there was anything - broken',
    write: (stage) => {
      stage.w3.claimNext({ at: -3, prefix: 'q/' });
      stage.w3.exits(-2);
      both(stage);
      stage.w2.claimNext(next([4, 5], 'q/b'));
    },
    embedded: true,
    broken: ['S17'],
  },
  {
    name: 'S17 - a claim of unknown outcome, but both grants say that they were the first attempt - broken',
    write: (stage) => {
      both(stage);
      stage.w3.claimNext({ at: 2, prefix: 'q/' });
      stage.w3.exits(3.5);
      const grants = [{ key: 'q/b', generation: 1, attempt: 1 }];
      stage.w2.claimNext({ at: [4, 5], prefix: 'q/', grants });
      stage.w2.claim('q/a', { at: [6, 7], generation: 1, attempt: 1 });
    },
    embedded: true,
    broken: ['S17'],
  },
  {
    name: 'S17 - a failed claim may have held the first back - holds',
    write: (stage) => {
      both(stage);
      stage.w3.claimNext({ at: [3, 5], prefix: 'q/', answer: 'fail' });
      stage.w2.claimNext(next([4, 5], 'q/b'));
    },
  },
  {
    name: 'S17 - the first was to wait - holds',
    write: ({ w1, w2 }) => {
      w1.enqueue('q/a', { at: [0, 1], notBeforeMs: 50 });
      w1.enqueue('q/b', { at: [2, 3] });
      w2.claimNext(next([4, 5], 'q/b'));
    },
  },
  {
    name: 'S17 - the second was asked for by name - holds',
    write: (stage) => {
      both(stage);
      stage.w2.claim('q/b', { at: [4, 5], generation: 1 });
    },
  },
  {
    name: 'S17 - the first belongs to another prefix - holds',
    write: ({ w1, w2 }) => {
      w1.enqueue('p/a', { at: [0, 1] });
      w1.enqueue(['q/b', 'q/c'], { at: [2, 3] });
      w2.claimNext(next([4, 5], 'q/b', 'q/c'));
    },
  },
  {
    name: 'S17 - the second had been out before - holds',
    write: (stage) => {
      both(stage);
      stage.w2.claim('q/b', { at: [4, 5], generation: 1 });
      stage.w2.release('q/b', { at: [6, 7], generation: 1 });
      const grants = [{ key: 'q/b', generation: 2 }];
      stage.w2.claimNext({ at: [8, 9], prefix: 'q/', grants });
    },
  },
  {
    name: 'S17 - no order was promised - holds',
    write: (stage) => {
      both(stage);
      stage.w2.claimNext(next([4, 5], 'q/b'));
    },
    declares: { order: 'none' },
  },
];

describe('first come, first served', () =>
  testSituations(situations.map((one) => ({ ...one, declares: { ...fifo, ...one.declares } }))));

test('the story names both items, and why the one that was left was open', () => {
  const broken = situations.filter((one) => one.broken !== undefined);
  const stories = broken
    .slice(0, 2)
    .map((one) => violationsOf(judgeSituation({ ...one, declares: fifo }))[0]);
  expect(stories[0]).toMatchObject({
    statement:
      'q/b was granted although q/a, which had been enqueued before it, was open; items must go out in the order in which they came',
    because: [
      'q/a was enqueued by 0.001 s, before q/b was, whose enqueue was sent at 0.002 s',
      'the first claim that can have taken q/a was sent at 0.006 s',
    ],
    assumed: ['one host clock', 'the store declares order fifo'],
  });
  expect(stories[1]?.because.at(-1)).toBe('no claim can have taken q/a');
});

test.each([
  ['none', 'the store declares no order of its items'],
  ['priority', 'the store declares an order by priority, and no call of the contract names a priority'],
] as const)('order %s is not judged', (order, reason) => {
  const { findings } = judgeSituation({ ...situations[1]!, declares: { ...fifo, order } });
  expect(findings.find(({ guarantee }) => guarantee === 'S17')?.notTested).toBe(reason);
});

const KEYS = ['q/a', 'q/b', 'q/c', 'p/d'] as const;
const acts = fc.array(
  fc.record({
    op: fc.constantFrom(
      'enqueue' as const,
      'enqueue' as const,
      'claim' as const,
      'next' as const,
      'next' as const,
    ),
    key: fc.constantFrom(...KEYS),
    prefix: fc.constantFrom('q/', 'q/', ''),
    inv: fc.integer({ min: 0, max: 12 }),
    width: fc.integer({ min: 0, max: 3 }),
    answer: fc.constantFrom(
      'accepted' as const,
      'accepted' as const,
      'accepted' as const,
      'info' as const,
      'fail' as const,
    ),
    cut: fc.boolean(),
    first: fc.boolean(),
    waits: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 3, maxLength: 12 },
);

test('it agrees with a look at every grant and every item', () => {
  let broken = 0;
  fc.assert(
    fc.property(acts, (drawn) => {
      const h = script();
      for (const { op, key, prefix, inv: at, width, answer, cut, first, waits } of drawn) {
        // Mostly after the enqueues.
        const inv = op === 'enqueue' ? at : at + 8;
        const worker = h.worker('w');
        const unknown = answer === 'info';
        const call = { at: unknown ? inv : ([inv, inv + width] as const), answer };
        const attempt = first ? 1 : 2;
        if (op === 'enqueue') worker.enqueue(key, { ...call, ...(waits === 0 ? { notBeforeMs: 1 } : {}) });
        else if (op === 'claim') worker.claim(key, { ...call, generation: 1, attempt });
        else worker.claimNext({ ...call, prefix, grants: [{ key, generation: 1, attempt }] });
        if (unknown && cut) worker.exits(inv + width);
      }
      const declares = { ...TABLE_DECLARES, ...fifo, embedded: true };
      const found = checkClaimOrder(h.history({ embedded: true }), declares, 100);
      const naive = recountOrder(callsOf(h.records(), true), declares);
      const accused = new Set(found.drafts.map(({ item }) => h.history({ embedded: true }).keys[item]));
      if (found.broken > 0) broken += 1;
      for (const key of KEYS) expect({ key, broken: accused.has(key) }).toEqual({ key, broken: naive(key) });
      expect(found.opportunities).toBeGreaterThanOrEqual(found.broken);
    }),
    { numRuns: 3_000 },
  );
  expect(broken).toBeGreaterThan(20);
});
