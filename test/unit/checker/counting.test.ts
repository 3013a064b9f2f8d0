import { describe } from 'vitest';
import { testSituations } from '../../support/guarantee-table.ts';

const ENQUEUED = { items: 'enqueued' } as const;

describe('S6 no enqueue lost', () => {
  testSituations([
    {
      name: 'S6 - every item is in the scan - valid',
      write: ({ h, w1 }) => {
        w1.enqueue(['a', 'b'], { at: [0, 1] });
        h.scan(
          [10, 11],
          [
            { key: 'a', state: 'open' },
            { key: 'b', state: 'open' },
          ],
        );
      },
      declares: ENQUEUED,
    },
    {
      name: 'S6 - an accepted item is in no page - violated',
      write: ({ h, w1 }) => {
        w1.enqueue(['a', 'b'], { at: [0, 1] });
        h.scan([10, 11], [{ key: 'a', state: 'open' }]);
      },
      declares: ENQUEUED,
      broken: ['S6', 'S19'],
    },
    {
      name: 'S6 - the enqueue was never answered - valid',
      write: ({ h, w1 }) => {
        w1.enqueue(['a', 'b'], { at: 0 });
        h.scan([10, 11], []);
      },
      declares: ENQUEUED,
    },
    {
      name: 'S6 - the enqueue was refused - valid',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], answer: 'duplicate' });
        h.scan([10, 11], []);
      },
      declares: ENQUEUED,
    },
    {
      name: 'S6 - the scan was not read to its end - valid',
      write: ({ h, w1 }) => {
        w1.enqueue(['a', 'b'], { at: [0, 1] });
        h.scan([10, 11], [{ key: 'a', state: 'open' }], { complete: false });
      },
      declares: ENQUEUED,
    },
    {
      name: 'S6 - enqueued while the scan ran - valid',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 10] });
        h.scan([10, 11], []);
      },
      declares: ENQUEUED,
    },
    {
      name: 'S6 - handed out once by a store that forgets what it hands out - valid',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1], value: '"p"' });
        w1.claim('a', { at: [2, 3], generation: 1 });
        h.scan([10, 11], []);
      },
      declares: { ...ENQUEUED, delivery: 'at-most-once' },
    },
    {
      name: 'S6 - finished, and kept for a finite time (I13) - valid',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1] });
        w1.claim('a', { at: [2, 3], generation: 1 });
        w1.complete('a', { at: [4, 5], generation: 1 });
        h.scan([100, 101], []);
      },
      declares: { ...ENQUEUED, retentionMs: 20 },
    },
    { name: 'S6 - no history - valid', write: () => {}, declares: ENQUEUED },
  ]);
});

describe('S8 nothing from nowhere', () => {
  testSituations([
    {
      name: 'S8 - granted before anybody enqueued it - violated',
      write: ({ w1, w2 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
        w2.enqueue('a', { at: [2, 3] });
      },
      declares: ENQUEUED,
      broken: ['S8'],
    },
    {
      name: 'S8 - granted at the stamp of the enqueue: at once - valid',
      write: ({ w1, w2 }) => {
        w1.claim('a', { at: [0, 2], generation: 1 });
        w2.enqueue('a', { at: [2, 3] });
      },
      declares: ENQUEUED,
    },
    {
      name: 'S8 - the enqueue was never answered - valid',
      write: ({ w1, w2 }) => {
        w2.enqueue('a', { at: 0 });
        w1.claim('a', { at: [2, 3], generation: 1 });
      },
      declares: ENQUEUED,
    },
    {
      name: 'S8 - the only enqueue failed for certain - violated',
      write: ({ w1, w2 }) => {
        w2.enqueue('a', { at: [0, 1], answer: 'fail' });
        w1.claim('a', { at: [2, 3], generation: 1 });
      },
      declares: ENQUEUED,
      broken: ['S8'],
    },
    {
      name: 'S8 - granted with another payload - violated',
      write: ({ w1, w2 }) => {
        w2.enqueue('a', { at: [0, 1], value: '"p"' });
        w1.claim('a', { at: [2, 3], generation: 1, value: '"q"' });
      },
      declares: ENQUEUED,
      broken: ['S8'],
    },
    {
      name: 'S8 - an item in the scan that nobody enqueued - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1] });
        h.scan(
          [10, 11],
          [
            { key: 'a', state: 'open' },
            { key: 'b', state: 'open' },
          ],
        );
      },
      declares: ENQUEUED,
      broken: ['S8', 'S19'],
    },
    {
      name: 'S8 - items are made by their first claim - valid',
      write: ({ w1 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
      },
    },
    {
      name: 'S8 - nobody was seen to enqueue anything: the items were there before - not judged',
      write: ({ w1 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
      },
      declares: ENQUEUED,
    },
  ]);
});

describe('A28 a time-out without its subject', () => {
  testSituations([
    {
      name: 'S8 - completion without an answer, and the scan shows it done - valid',
      write: ({ h, w1 }) => {
        w1.claim('T1', { at: [0, 1], generation: 1 });
        w1.complete('T1', { at: 2, generation: 1, value: '"r"' });
        h.scan([100, 101], [{ key: 'T1', state: 'done', value: '"r"' }]);
      },
    },
    {
      name: 'S8 - done in the scan, and no completion was ever sent - violated',
      write: ({ h, w1 }) => {
        w1.claim('T1', { at: [0, 1], generation: 1 });
        h.scan([100, 101], [{ key: 'T1', state: 'done', value: '"r"' }]);
      },
      broken: ['S8', 'S19'],
    },
    {
      name: 'S8 - a time-out line without the item: the argument is that of the call - valid',
      write: ({ h, w1 }) => {
        w1.claim('T1', { at: [0, 1], generation: 1 });
        // The record of an unknown outcome never names an item; see `ErrorRecord`.
        w1.complete('T1', { at: [2, 50], generation: 1, value: '"r"', answer: 'info' });
        h.scan([100, 101], [{ key: 'T1', state: 'done', value: '"r"' }]);
      },
    },
  ]);
});

describe('S9 a failure changes nothing', () => {
  testSituations([
    {
      name: 'S9 - the scan shows the result of a refused completion - violated',
      write: ({ h, w1 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
        w1.complete('a', { at: [2, 3], generation: 1, value: '"r"', answer: 'stale' });
        h.scan([10, 11], [{ key: 'a', state: 'done', value: '"r"' }]);
      },
      broken: ['S9', 'S19', 'S21'],
    },
    {
      name: 'S9 - the scan shows the result of a completion recorded as failed (M33) - violated',
      write: ({ h, w1 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
        w1.complete('a', { at: [2, 3], generation: 1, value: '"r"', answer: 'fail' });
        h.scan([10, 11], [{ key: 'a', state: 'done', value: '"r"' }]);
      },
      broken: ['S9', 'S19'],
    },
    {
      name: 'S9 - refused, and a completion without an answer carries the same result - valid',
      write: ({ h, w1 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
        w1.complete('a', { at: 2, generation: 1, value: '"r"' });
        w1.complete('a', { at: [4, 5], generation: 1, value: '"r"', answer: 'completed' });
        h.scan([10, 11], [{ key: 'a', state: 'done', value: '"r"' }]);
      },
    },
    {
      name: 'S9 - refused, and the scan shows another result - valid',
      write: ({ h, w1, w2 }) => {
        w1.claim('a', { at: [0, 1], generation: 1 });
        w2.claim('a', { at: [12, 13], generation: 2 });
        w2.complete('a', { at: [14, 15], generation: 2, value: '"yours"' });
        w1.complete('a', { at: [16, 17], generation: 1, value: '"mine"', answer: 'stale' });
        h.scan([30, 31], [{ key: 'a', state: 'done', value: '"yours"' }]);
      },
    },
    {
      name: 'S9 - the scan names the request of a failed enqueue - violated',
      write: ({ h, w1, w2 }) => {
        w1.enqueue('a', { at: [0, 1] });
        const failed = w2.enqueue('a', { at: [2, 3], answer: 'fail' });
        h.scan([10, 11], [{ key: 'a', state: 'open', enqueuedBy: failed }]);
      },
      declares: { ...ENQUEUED, showsRequest: true },
      broken: ['S9'],
    },
    {
      name: 'S9 - in the scan, and its only enqueue failed for certain (M33) - violated',
      write: ({ h, w1, w2 }) => {
        w1.enqueue('a', { at: [0, 1], answer: 'fail' });
        w2.claim('a', { at: [2, 3], generation: 1 });
        h.scan([10, 11], [{ key: 'a', state: 'open' }]);
      },
      declares: ENQUEUED,
      broken: ['S9', 'S19'],
    },
    {
      name: 'S9 - in the scan, one enqueue failed and one was never answered - valid',
      write: ({ h, w1, w2 }) => {
        w1.enqueue('a', { at: [0, 1], answer: 'fail' });
        w2.enqueue('a', { at: 2 });
        h.scan([10, 11], [{ key: 'a', state: 'open' }]);
      },
      declares: ENQUEUED,
    },
    {
      name: 'S9 - the scan names the request of the accepted enqueue - valid',
      write: ({ h, w1, w2 }) => {
        const accepted = w1.enqueue('a', { at: [0, 1] });
        w2.enqueue('a', { at: [2, 3], answer: 'duplicate' });
        h.scan([10, 11], [{ key: 'a', state: 'open', enqueuedBy: accepted }]);
      },
      declares: { ...ENQUEUED, showsRequest: true },
    },
  ]);
});

describe('S13 claims are sane', () => {
  testSituations([
    {
      name: 'S13 - as many as asked for - valid',
      write: ({ w1 }) => {
        w1.claimNext({
          at: [0, 1],
          prefix: 'a/',
          limit: 2,
          grants: [
            { key: 'a/1', generation: 1 },
            { key: 'a/2', generation: 1 },
          ],
        });
        w1.claimNext({ at: [2, 3], prefix: 'a/', limit: 2, grants: [] });
      },
    },
    {
      name: 'S13 - more than asked for - violated',
      write: ({ w1 }) => {
        w1.claimNext({
          at: [0, 1],
          prefix: 'a/',
          limit: 1,
          grants: [
            { key: 'a/1', generation: 1 },
            { key: 'a/2', generation: 1 },
          ],
        });
      },
      broken: ['S13'],
    },
    {
      name: 'S13 - one item twice in one answer - violated',
      write: ({ w1 }) => {
        w1.claimNext({
          at: [0, 1],
          prefix: 'a/',
          limit: 2,
          grants: [
            { key: 'a/1', generation: 1 },
            { key: 'a/1', generation: 1 },
          ],
        });
      },
      broken: ['S13'],
    },
    {
      name: 'S13 - an item of another prefix - violated',
      write: ({ w1 }) => {
        w1.claimNext({ at: [0, 1], prefix: 'a/', grants: [{ key: 'b/1', generation: 1 }] });
      },
      broken: ['S13'],
    },
    {
      name: 'S13 - another item than the one asked for by key - violated',
      write: ({ w1 }) => {
        w1.claim('a/1', { at: [0, 1], given: 'a/2', generation: 1 });
      },
      broken: ['S13'],
    },
    {
      name: 'S13 - granted before its not-before instant, on the store’s own clock - violated',
      write: ({ w1 }) => {
        w1.enqueue('a/1', { at: [0, 1], notBeforeMs: 5000 });
        w1.claimNext({
          at: [2, 3],
          prefix: 'a/',
          grants: [{ key: 'a/1', generation: 1, expiresAtMs: 5009 }],
        });
      },
      broken: ['S13'],
    },
    {
      name: 'S13 - granted at its not-before instant - valid',
      write: ({ w1 }) => {
        w1.enqueue('a/1', { at: [0, 1], notBeforeMs: 5000 });
        w1.claimNext({
          at: [2, 3],
          prefix: 'a/',
          grants: [{ key: 'a/1', generation: 1, expiresAtMs: 5010 }],
        });
      },
    },
    {
      name: 'S13 - the grant does not tell the store’s time - valid',
      write: ({ w1 }) => {
        w1.enqueue('a/1', { at: [0, 1], notBeforeMs: 5000 });
        w1.claimNext({ at: [2, 3], prefix: 'a/', grants: [{ key: 'a/1', generation: 1 }] });
      },
    },
    {
      name: 'S13 - leased in the scan, and given to nobody (M35) - violated',
      write: ({ h, w1 }) => {
        w1.claimNext({ at: [0, 1], prefix: 'a/', grants: [{ key: 'a/1', generation: 1 }] });
        h.scan(
          [10, 11],
          [
            { key: 'a/1', state: 'leased', generation: 1 },
            { key: 'a/2', state: 'leased', generation: 1 },
          ],
        );
      },
      broken: ['S13'],
    },
    {
      name: 'S13 - leased in the scan, and one claim was never answered - valid',
      write: ({ h, w1 }) => {
        w1.claimNext({ at: [0, 1], prefix: 'a/', grants: [{ key: 'a/1', generation: 1 }] });
        w1.claimNext({ at: 2, prefix: 'a/' });
        h.scan(
          [10, 11],
          [
            { key: 'a/1', state: 'leased', generation: 1 },
            { key: 'a/2', state: 'leased', generation: 1 },
          ],
        );
      },
    },
    {
      name: 'S13 - a claim by key that was never answered took it - valid',
      write: ({ h, w1 }) => {
        w1.claim('a/2', { at: 0 });
        h.scan([10, 11], [{ key: 'a/2', state: 'leased', generation: 1 }]);
      },
    },
  ]);
});

describe('S19 nothing lost in the count', () => {
  testSituations([
    {
      name: 'S19 - one unanswered enqueue of three may or may not be there - valid',
      write: ({ h, w1 }) => {
        w1.enqueue(['a', 'b'], { at: [0, 1] });
        w1.enqueue('c', { at: 2 });
        h.scan(
          [10, 11],
          [
            { key: 'a', state: 'open' },
            { key: 'b', state: 'open' },
          ],
        );
      },
      declares: ENQUEUED,
    },
    {
      name: 'S19 - an item twice in the scan (M32) - violated',
      write: ({ h, w1 }) => {
        w1.enqueue('a', { at: [0, 1] });
        h.scan(
          [10, 11],
          [
            { key: 'a', state: 'open' },
            { key: 'a', state: 'open' },
          ],
        );
      },
      declares: ENQUEUED,
      broken: ['S19'],
    },
    {
      name: 'S19 - an empty scan of an empty store - valid',
      write: ({ h }) => h.scan([10, 11], []),
      declares: ENQUEUED,
    },
  ]);
});
