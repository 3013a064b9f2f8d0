import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

describe('S1 generations unique', () => {
  testSituations([
    { name: 'S1 - nothing happened - valid', write: () => {} },
    {
      name: 'S1 - two grants, two generations, gap between them (I01) - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [20, 21], generation: 900 });
      },
    },
    {
      name: 'S1 - one generation for two requests, one after the other - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [20, 21], generation: 4 });
      },
      broken: ['S1'],
    },
    {
      name: 'S1 - one generation for two requests at once (M09) - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 5], generation: 4 });
        w2.claim('k', { at: [1, 6], generation: 4 });
      },
      broken: ['S1'],
    },
    {
      name: 'S1 - the second claim was never answered - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: 20, generation: 4 });
      },
    },
    {
      name: 'S1 - generations beyond 2^53 that differ in the last digit - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: '9007199254740993' });
        w2.claim('k', { at: [20, 21], generation: '9007199254740994' });
      },
    },
    {
      name: 'S1 - the same generation on another item - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('l', { at: [0, 1], generation: 4 });
      },
    },
  ]);
});

describe('S2 generations rise', () => {
  testSituations([
    {
      name: 'S2 - a lower generation after a higher one - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 5 });
        w2.claim('k', { at: [20, 21], generation: 4 });
      },
      broken: ['S2'],
    },
    {
      name: 'S2 - compared as numbers, not as text: 9 before 10 - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 9 });
        w2.claim('k', { at: [20, 21], generation: '10' });
      },
    },
    {
      name: 'S2 - huge generations compared exactly - violated',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: '18446744073709551616' });
        w2.claim('k', { at: [20, 21], generation: '18446744073709551615' });
      },
      broken: ['S2'],
    },
    {
      name: 'S2 - equal stamps: answered at the instant the other was sent is at once, not before - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 20], generation: 5 });
        w2.claim('k', { at: [5, 20], generation: 4 });
      },
    },
    {
      name: 'S2 - the higher one was never answered - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: 0, generation: 5 });
        w2.claim('k', { at: [20, 21], generation: 4 });
      },
    },
  ]);
});

const BROKEN = { heartbeat: ['S4'], nack: ['S4'], complete: ['S4', 'S4c'], release: ['S14'] } as const;

describe('S4 stale writer, S14 foreign release refused', () => {
  const stale = (op: 'heartbeat' | 'complete' | 'nack' | 'release', answer: 'accepted' | 'stale') =>
    [
      {
        name: `S4 - ${op} under 4 after 5 was granted, ${answer} - ${answer === 'accepted' ? 'violated' : 'valid'}`,
        write: ({ w1, w2 }: Parameters<Parameters<typeof testSituations>[0][number]['write']>[0]) => {
          w1.claim('k', { at: [0, 1], generation: 4 });
          w2.claim('k', { at: [12, 13], generation: 5 });
          w1[op]('k', { at: [14, 15], generation: 4, answer });
        },
        broken: answer === 'accepted' ? BROKEN[op] : [],
      },
    ] as const;
  testSituations([
    ...stale('heartbeat', 'accepted'),
    ...stale('complete', 'accepted'),
    ...stale('nack', 'accepted'),
    ...stale('release', 'accepted'),
    ...stale('complete', 'stale'),
    ...stale('heartbeat', 'stale'),
    {
      name: 'S4 - the same owner name, twice: the older attempt completes (M03, A01) - violated',
      write: ({ h, w1 }) => {
        const twin = h.worker('w1');
        w1.claim('k', { at: [0, 1], generation: 1 });
        twin.claim('k', { at: [12, 13], generation: 2 });
        w1.complete('k', { at: [14, 15], generation: 1 });
      },
      broken: ['S4', 'S4c'],
    },
    {
      name: 'S4 - the stale call was never answered - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w1.nack('k', { at: 14, generation: 4 });
      },
    },
    {
      name: 'S4 - a stale completion without an answer, which the scan shows - violated',
      write: ({ h, w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w1.complete('k', { at: 14, generation: 4, value: '"mine"' });
        h.scan([100, 101], [{ key: 'k', state: 'done', value: '"mine"' }]);
      },
      broken: ['S4', 'S4c'],
    },
    {
      name: 'S4 - sent at the very stamp of the newer grant: at once, not after - valid',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w1.heartbeat('k', { at: [5, 6], generation: 4 });
        w2.claim('k', { at: [15, 20], generation: 5 });
        w1.release('k', { at: [20, 21], generation: 4 });
      },
    },
    {
      name: 'S4 - the store declares no fencing - not judged',
      write: ({ w1, w2 }) => {
        w1.claim('k', { at: [0, 1], generation: 4 });
        w2.claim('k', { at: [12, 13], generation: 5 });
        w1.complete('k', { at: [14, 15], generation: 4 });
      },
      declares: { fencing: 'none' },
    },
  ]);
});
