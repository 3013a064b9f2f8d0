import { describe } from 'vitest';
import { type Stage, testSituations } from '../../support/guarantee-table.ts';

const ENQUEUED = { items: 'enqueued' } as const;

/** An item is granted to w1, who never calls again; in drain w2 and w3 ask for it. Times in ms; the lease is 10. */
function abandoned({ h, w1 }: Stage, drainEnds = 500): void {
  h.phase('main', 0);
  w1.enqueue('work/a', { at: [1, 2], value: '"p"' });
  w1.claim('work/a', { at: [3, 4], generation: 1, value: '"p"' });
  h.phase('heal', 90);
  h.phase('drain', 100);
  h.phase('scan', drainEnds);
}
const asks = (worker: Stage['w1'], at: readonly [number, number], prefix = 'work/'): string =>
  worker.claimNext({ at, prefix, answer: 'empty' });

describe('L1 handed out again, L2 work comes to an end', () => {
  testSituations([
    {
      name: 'L1 - two workers found nothing where something was (M19) - violated',
      write: (stage) => {
        abandoned(stage);
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: ENQUEUED,
      broken: ['L1'],
    },
    {
      name: 'L1 - never granted, and found by nobody - violated',
      write: ({ h, w1, w2, w3 }) => {
        h.phase('main', 0);
        w1.enqueue('work/a', { at: [1, 2] });
        h.phase('drain', 100);
        asks(w2, [110, 111]);
        asks(w3, [112, 113]);
      },
      declares: ENQUEUED,
      broken: ['L1'],
    },
    {
      name: 'L2 - and nothing was finished for half a minute - violated',
      write: (stage) => {
        abandoned(stage, 40_000);
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: ENQUEUED,
      broken: ['L1', 'L2'],
    },
    {
      name: 'L1 - one worker alone asked - valid',
      write: (stage) => {
        abandoned(stage);
        asks(stage.w2, [110, 111]);
        asks(stage.w2, [112, 113]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - they asked for something else - valid',
      write: (stage) => {
        abandoned(stage);
        asks(stage.w2, [110, 111], 'slot/w2/');
        asks(stage.w3, [112, 113], 'slot/w3/');
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - within the reap interval, which the store declares - valid',
      write: (stage) => {
        abandoned(stage);
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: { ...ENQUEUED, reapIntervalMs: 100 },
    },
    {
      name: 'L1 - a reap interval apart, and after it - violated',
      write: (stage) => {
        abandoned(stage);
        asks(stage.w2, [150, 151]);
        asks(stage.w3, [260, 261]);
      },
      declares: { ...ENQUEUED, reapIntervalMs: 100 },
      broken: ['L1'],
    },
    {
      name: 'L1 - a claim without an answer may have taken it for good - valid',
      write: (stage) => {
        abandoned(stage);
        stage.w1.claimNext({ at: 50, prefix: 'work/' });
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - the same, but its process ended, and its store with it - violated',
      write: (stage) => {
        abandoned(stage);
        stage.w1.claimNext({ at: 50, prefix: 'work/' });
        stage.w1.exits(60);
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: ENQUEUED,
      embedded: true,
      broken: ['L1'],
    },
    {
      name: 'L1 - a completion without an answer - valid',
      write: (stage) => {
        abandoned(stage);
        stage.w1.complete('work/a', { at: 5, generation: 1, value: '"v"' });
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - a claim was in flight across them - valid',
      write: (stage) => {
        abandoned(stage);
        stage.w1.claimNext({ at: [105, 120], prefix: 'work/', answer: 'empty', lane: 1 });
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - its attempts were used up: it is dead - valid',
      write: ({ h, w1, w2, w3 }) => {
        h.phase('main', 0);
        w1.enqueue('work/a', { at: [1, 2], maxAttempts: 1 });
        w1.claim('work/a', { at: [3, 4], generation: 1 });
        h.phase('drain', 100);
        asks(w2, [110, 111]);
        asks(w3, [112, 113]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - while faults were on - not judged',
      write: ({ h, w1, w2, w3 }) => {
        h.phase('main', 0);
        w1.enqueue('work/a', { at: [1, 2] });
        asks(w2, [110, 111]);
        asks(w3, [112, 113]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'L1 - a store that hands out once, as declared - valid',
      write: (stage) => {
        abandoned(stage);
        asks(stage.w2, [110, 111]);
        asks(stage.w3, [112, 113]);
      },
      declares: { ...ENQUEUED, delivery: 'at-most-once' },
    },
    {
      name: 'L1 - leased by key, refused as held long after the lease - violated',
      write: ({ h, w1, w2, w3 }) => {
        h.phase('main', 0);
        w1.claim('k', { at: [3, 4], generation: 1 });
        h.phase('drain', 100);
        w2.claim('k', { at: [110, 111], answer: 'held' });
        w3.claim('k', { at: [112, 113], answer: 'held' });
      },
      broken: ['L1'],
    },
    { name: 'L1 - no history - not judged', write: () => {} },
  ]);
});
