/** S16: the history of a key is a stretch of the truth, without a hole. */
import { describe } from 'vitest';
import { onBoard } from '../../support/board-script.ts';
import { type Stage, testSituations } from '../../support/guarantee-table.ts';

const S16 = ['S16'];
/** `k` gets versions 1 to 4 until 31; 3 is a deletion. */
function written({ w1, w2 }: Stage) {
  const [a, b] = [onBoard(w1), onBoard(w2)];
  a.append('k', { at: [0, 1], made: 1 });
  a.append('k', { at: [10, 11], made: 2 });
  a.remove('k', { at: [20, 21], made: 3 });
  a.append('k', { at: [30, 31], made: 4 });
  return { a, b };
}

describe('S16 histories', () => {
  testSituations([
    {
      name: 'S16 history - all of it, in one page and in two - valid',
      write: (stage) => {
        const { b } = written(stage);
        b.past('k', { at: [40, 41], shows: [4, -3, 2, 1] });
        b.past('k', { at: [42, 43], limit: 2, shows: [4, -3] });
        b.past('k', { at: [44, 45], before: 3, limit: 2, shows: [2, 1] });
        b.past('k', { at: [46, 47], before: 1, shows: [] });
      },
    },
    {
      name: 'S16 history - a version is missing in the middle - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [4, 2, 1] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - versions rise - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], limit: 2, shows: [-3, 4] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - it ends above version 1 - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [4, -3] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - it ends above version 1, and a write may have dropped what was older - valid',
      write: (stage) => {
        const { a, b } = written(stage);
        b.commit([{ key: 'k', keep: 'latest' }], { at: 32 });
        a.past('k', { at: [40, 41], shows: [4, -3] });
      },
    },
    {
      name: 'S16 history - the page is full - valid',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], limit: 2, shows: [4, -3] });
      },
    },
    {
      name: 'S16 history - the newest is missing - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [-3, 2, 1] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - the newest was made meanwhile - valid',
      write: (stage) => {
        written(stage).b.past('k', { at: [25, 41], shows: [-3, 2, 1] });
      },
    },
    {
      name: 'S16 history - empty, and the key was written - violated',
      write: (stage) => {
        const { a, b } = { a: onBoard(stage.w1), b: onBoard(stage.w2) };
        a.append('k', { at: [0, 1], made: 1 });
        b.past('k', { at: [2, 3], shows: [] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - a later page begins too low - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], before: 4, limit: 1, shows: [2] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - a value shown as a deletion - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [4, -3, -2, 1] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - a deletion shown as a value - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [4, 3, 2, 1] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - another value - violated',
      write: (stage) => {
        const [a, b] = [onBoard(stage.w1), onBoard(stage.w2)];
        a.append('k', { at: [0, 1], made: 1, value: '"x"' });
        b.past('k', { at: [2, 3], shows: [1] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - a version that nobody made - violated',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [5, 4, -3, 2, 1] });
      },
      broken: S16,
    },
    {
      name: 'S16 history - an older state, and reads are declared monotonic - valid',
      write: (stage) => {
        written(stage).b.past('k', { at: [40, 41], shows: [2, 1] });
      },
      declares: { reads: 'monotonic' },
    },
    {
      name: 'S16 history - one client sees it shrink, and reads are declared monotonic - violated',
      write: (stage) => {
        const { b } = written(stage);
        b.past('k', { at: [40, 41], shows: [4, -3, 2, 1] });
        b.past('k', { at: [42, 43], shows: [2, 1] });
      },
      declares: { reads: 'monotonic' },
      broken: S16,
    },
  ]);
});
