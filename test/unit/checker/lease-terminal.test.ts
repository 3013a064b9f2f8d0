import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

describe('S4c newest generation completes', () => {
  testSituations([
    {
      name: 'S4c - completed under the newest generation - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w2.complete('k', { at: [14, 15], generation: 5 });
      },
    },
    {
      name: 'S4c - completed under 4, 5 granted, everything at once - violated without any timing',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 100], generation: 4 });
        w2.claim('k', { at: [0, 100], generation: 5 });
        w1.complete('k', { at: [0, 100], generation: 4 });
      },
      broken: ['S4c'],
    },
    {
      name: 'S4c - the older completion was never answered and nobody saw it - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w1.complete('k', { at: 12, generation: 4 });
      },
    },
  ]);
});

describe('S5 one accepted completion', () => {
  testSituations([
    {
      name: 'S5 - the same holder completes twice - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w1.complete('k', { at: [4, 5], generation: 4 });
      },
      broken: ['S5'],
    },
    {
      name: 'S5 - the second completion is refused (I03: run twice, accepted once) - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w2.complete('k', { at: [14, 15], generation: 5 });
        w1.complete('k', { at: [14, 16], generation: 4, answer: 'stale' });
        w1.complete('k', { at: [17, 18], generation: 4, answer: 'completed' });
      },
    },
    {
      name: 'S5 - the first completion was never answered - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: 2, generation: 4 });
        w1.complete('k', { at: [4, 5], generation: 4 });
      },
    },
    {
      name: 'S5 - accepted, and the scan shows another one that was never answered - violated',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: 2, generation: 4, value: '"a"' });
        w1.complete('k', { at: [4, 5], generation: 4, value: '"b"' });
        h.scan([100, 101], [{ key: 'k', state: 'done', value: '"a"' }]);
      },
      broken: ['S5', 'S7'],
    },
    {
      name: 'S5 - superseded completion answered as accepted and ignored (M43) - violated',
      write: ({ h, w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w1.complete('k', { at: [14, 15], generation: 4, value: '"mine"' });
        w2.complete('k', { at: [16, 17], generation: 5, value: '"yours"' });
        h.scan([100, 101], [{ key: 'k', state: 'done', value: '"yours"' }]);
      },
      broken: ['S4', 'S4c', 'S5', 'S7'],
    },
    {
      name: 'S5 - two completions, a store without fencing - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w2.complete('k', { at: [14, 15], generation: 5 });
        w1.complete('k', { at: [14, 16], generation: 4 });
      },
      declares: { fencing: 'none' },
      broken: ['S5'],
    },
  ]);
});

describe('S7 no result lost', () => {
  testSituations([
    {
      name: 'S7 - the scan shows the accepted result - valid',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4, value: '"a"' });
        h.scan([100, 101], [{ key: 'k', state: 'done', value: '"a"' }]);
      },
    },
    {
      name: 'S7 - the scan shows the item open - violated',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        h.scan([100, 101], [{ key: 'k', state: 'open' }]);
      },
      broken: ['S7', 'S19'],
    },
    {
      name: 'S7 - the scan shows a result that nobody wrote - violated',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4, value: '"a"' });
        h.scan([100, 101], [{ key: 'k', state: 'done', value: '"z"' }]);
      },
      broken: ['S7'],
    },
    {
      name: 'S7 - the whole scan lacks the item - violated',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        h.scan([100, 101], []);
      },
      broken: ['S7', 'S19'],
    },
    {
      name: 'S7 - the scan was cut short - valid',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        h.scan([100, 101], [{ key: 'a', state: 'open' }], { complete: false });
      },
    },
    {
      name: 'S7 - the scan read the item while it was being completed - valid',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 100], generation: 4 });
        h.scan([100, 101], [{ key: 'k', state: 'leased', generation: 4 }]);
      },
    },
    {
      name: 'S7 - the completion was never answered, and the item is open - valid',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: 2, generation: 4 });
        h.scan([100, 101], [{ key: 'k', state: 'open' }]);
      },
    },
    {
      name: 'S7 - never answered, later seen done (I08) - valid',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: 2, generation: 4, value: '"a"' });
        h.scan([100, 101], [{ key: 'k', state: 'done', value: '"a"' }]);
      },
    },
    {
      name: 'S7 - finished items are kept for 50 ms, and the scan came later (I13) - valid',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        h.scan([100, 101], []);
      },
      declares: { retentionMs: 50 },
    },
    {
      name: 'S7 - reads may be old - not judged',
      write: ({ h, w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        h.scan([100, 101], [{ key: 'k', state: 'open' }]);
      },
      declares: { reads: 'eventual' },
    },
  ]);
});

describe('S10 finished stays finished', () => {
  testSituations([
    {
      name: 'S10 - granted after it was completed - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w2.claim('k', { at: [20, 21], generation: 5 });
      },
      broken: ['S10'],
    },
    {
      name: 'S10 - the claim after it is refused - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w2.claim('k', { at: [20, 21], answer: 'completed' });
      },
    },
    {
      name: 'S10 - renewed after it was completed - violated',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w1.heartbeat('k', { at: [4, 5], generation: 4 });
      },
      broken: ['S10'],
    },
    {
      name: 'S10 - released after it was completed: nothing is left to free - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w1.release('k', { at: [4, 5], generation: 4 });
      },
    },
    {
      name: 'S10 - renewed at the stamp of the answer: at once, not after - valid',
      write: ({ w1 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w1.heartbeat('k', { at: [3, 5], generation: 4 });
      },
    },
    {
      name: 'S10 - the completion was never answered - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: 2, generation: 4 });
        w2.claim('k', { at: [20, 21], generation: 5 });
      },
    },
    {
      name: 'S10 - finished items are kept for 50 ms, and the key came back later (I13) - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w2.claim('k', { at: [60, 61], generation: 1 });
      },
      declares: { retentionMs: 50 },
    },
    {
      name: 'S10 - finished items are kept for 50 ms, and the key came back at once - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.complete('k', { at: [2, 3], generation: 4 });
        w2.claim('k', { at: [20, 21], generation: 5 });
      },
      declares: { retentionMs: 50 },
      broken: ['S10'],
    },
  ]);
});
