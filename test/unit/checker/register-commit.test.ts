/** S16: what a commit required, and that its writes happen together. */
import { describe, expect, test } from 'vitest';
import { finalEntries, onBoard } from '../../support/board-script.ts';
import { judgeSituation, type Stage, testSituations, violationsOf } from '../../support/guarantee-table.ts';

const S16 = ['S16'];
/** `k` has version 1 from 1 on, and 2 from 11 on. */
function twice({ h, w1, w2, w3 }: Stage) {
  const [a, b, c] = [onBoard(w1), onBoard(w2), onBoard(w3)];
  a.set('k', { at: [0, 1], made: 1 });
  a.set('k', { at: [10, 11], from: 1, made: 2 });
  return { h, a, b, c };
}

describe('S16 (a) requirements', () => {
  testSituations([
    {
      name: 'S16 require - the version stood - valid',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'l', made: 1 }], { at: [2, 3], require: { k: 1 } });
      },
    },
    {
      name: 'S16 require - another version was newest before it was sent - violated',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'l', made: 1 }], { at: [12, 13], require: { k: 1 } });
      },
      broken: S16,
    },
    {
      name: 'S16 require - the same, of a commit that writes nothing - violated',
      write: (stage) => {
        twice(stage).b.commit([], { at: [12, 13], require: { k: 1 } });
      },
      broken: S16,
    },
    {
      name: 'S16 require - the same in a store with eventual reads: commits are atomic all the same - violated',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'l', made: 1 }], { at: [12, 13], require: { k: 1 } });
      },
      declares: { reads: 'eventual' },
      broken: S16,
    },
    {
      name: 'S16 require - while the next version was made - valid',
      write: (stage) => {
        const { b, c } = twice(stage);
        b.commit([{ key: 'l', made: 1 }], { at: [9, 12], require: { k: 1 } });
        c.commit([{ key: 'm', made: 1 }], { at: [9, 12], require: { k: 2 } });
      },
    },
    {
      name: 'S16 require - a version that was not made yet - violated',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'l', made: 1 }], { at: [2, 3], require: { k: 2 } });
      },
      broken: S16,
    },
    {
      name: 'S16 require - absent, and it is there - violated',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'l', made: 1 }], { at: [12, 13], require: { k: 0 } });
      },
      broken: S16,
    },
    {
      name: 'S16 require - absent, and it may have been deleted - valid',
      write: (stage) => {
        const { b, c } = twice(stage);
        c.remove('k', { at: 5 });
        b.commit([{ key: 'l', made: 1 }], { at: [12, 13], require: { k: 0 } });
      },
    },
    {
      name: 'S16 require - a version that is a deletion - violated',
      write: (stage) => {
        const { a, b } = twice(stage);
        a.remove('k', { at: [14, 15], made: 3 });
        b.commit([{ key: 'l', made: 1 }], { at: [16, 17], require: { k: 3 } });
      },
      broken: S16,
    },
    {
      name: 'S16 require - unknown, refused and failed commits - valid',
      write: (stage) => {
        const { b, c } = twice(stage);
        b.commit([{ key: 'l' }], { at: 12, require: { k: 1 } });
        c.commit([{ key: 'l' }], { at: [12, 13], answer: 'conflict', require: { k: 1 } });
        c.commit([{ key: 'l' }], { at: [14, 15], answer: 'fail', require: { k: 1 } });
      },
    },
    {
      name: 'S16e require - refused though the version stood - violated',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'l' }], { at: [12, 13], answer: 'conflict', require: { k: 2 } });
      },
      broken: S16,
    },
    {
      name: 'S16e require - refused, and one of two requirements did not stand - valid',
      write: (stage) => {
        const { b } = twice(stage);
        b.commit([{ key: 'l' }], { at: [12, 13], answer: 'conflict', require: { k: 2, m: 1 } });
      },
    },
    {
      name: 'S16e require - the requirement stood, and the write asked for another version - valid',
      write: (stage) => {
        const { b } = twice(stage);
        b.commit([{ key: 'l', from: 4 }], { at: [12, 13], answer: 'conflict', require: { k: 2 } });
      },
    },
    {
      name: 'S16e require - it also writes the key that it requires: not judged - valid',
      write: (stage) => {
        twice(stage).b.commit([{ key: 'k' }], { at: [12, 13], answer: 'conflict', require: { k: 2 } });
      },
    },
  ]);

  test('the story names the version that was required, and the write before it', () => {
    const [violation] = violationsOf(
      judgeSituation({
        name: '',
        write: (stage) => {
          twice(stage).b.commit([{ key: 'l', made: 1 }], { at: [12, 13], require: { k: 1 } });
        },
      }),
    );
    expect(violation?.statement).toBe(
      'k: requirement not checked (a): a commit was accepted that required version 1 after version 2 had been written; a commit must be refused when a version that it requires is another',
    );
    expect(violation?.witness.map(({ request }) => request)).toContain('2.0.1');
  });
});

describe('S16 (h) commits in pieces', () => {
  const crew = ({ h, w1, w2 }: Stage) => ({ h, a: onBoard(w1), b: onBoard(w2) });
  testSituations([
    {
      name: 'S16h - one read sees the first, a later one misses the second - violated',
      write: (stage) => {
        const { a, b } = crew(stage);
        a.set('l', { at: [0, 0.5], made: 1 });
        a.commit(
          [
            { key: 'k', made: 1 },
            { key: 'l', made: 2 },
          ],
          { at: [1, 20] },
        );
        b.get('k', { at: [2, 3], shows: 1 });
        b.get('l', { at: [4, 5], shows: 1 });
      },
      broken: S16,
    },
    {
      name: 'S16h - the reads overlap - valid',
      write: (stage) => {
        const { a, b } = crew(stage);
        a.set('l', { at: [0, 0.5], made: 1 });
        a.commit(
          [
            { key: 'k', made: 1 },
            { key: 'l', made: 2 },
          ],
          { at: [1, 20] },
        );
        b.get('k', { at: [2, 4], shows: 1 });
        b.get('l', { at: [4, 5], shows: 1 });
      },
    },
    {
      name: 'S16h - the same, and reads are declared eventual - valid',
      write: (stage) => {
        const { a, b } = crew(stage);
        a.set('l', { at: [0, 0.5], made: 1 });
        a.commit(
          [
            { key: 'k', made: 1 },
            { key: 'l', made: 2 },
          ],
          { at: [1, 20] },
        );
        b.get('k', { at: [2, 3], shows: 1 });
        b.get('l', { at: [4, 5], shows: 1 });
      },
      declares: { reads: 'eventual' },
    },
    {
      name: 'S16h - an unanswered commit was seen on one key, and the other never had it - violated',
      write: (stage) => {
        const { h, a, b } = crew(stage);
        b.set('l', { at: [0, 0.5], made: 1 });
        a.commit(
          [
            { key: 'k', value: '"mine"' },
            { key: 'l', value: '"mine too"' },
          ],
          { at: 1 },
        );
        finalEntries(
          h,
          [90, 91],
          [
            { key: 'k', version: 1, value: '"mine"' },
            { key: 'l', version: 1, value: '"v1"' },
          ],
        );
        b.get('k', { at: [50, 51], shows: 1, value: '"mine"' });
      },
      broken: S16,
    },
    {
      name: 'S16h - an unanswered commit was seen on both keys - valid',
      write: (stage) => {
        const { h, a, b } = crew(stage);
        b.set('l', { at: [0, 0.5], made: 1 });
        a.commit(
          [
            { key: 'k', value: '"mine"' },
            { key: 'l', value: '"mine too"' },
          ],
          { at: 1 },
        );
        b.get('k', { at: [50, 51], shows: 1, value: '"mine"' });
        finalEntries(
          h,
          [90, 91],
          [
            { key: 'k', version: 1, value: '"mine"' },
            { key: 'l', version: 2, value: '"mine too"' },
          ],
        );
      },
    },
    {
      name: 'S16h - an unanswered commit was seen on one key, and written over on the other - valid',
      write: (stage) => {
        const { h, a, b } = crew(stage);
        a.commit(
          [
            { key: 'k', value: '"mine"' },
            { key: 'l', value: '"mine too"' },
          ],
          { at: 1 },
        );
        b.set('l', { at: [60, 61], made: 2 });
        b.get('k', { at: [50, 51], shows: 1, value: '"mine"' });
        finalEntries(
          h,
          [90, 91],
          [
            { key: 'k', version: 1, value: '"mine"' },
            { key: 'l', version: 2, value: '"v2"' },
          ],
        );
      },
    },
    {
      name: 'S16h - an unanswered commit was seen nowhere - valid',
      write: (stage) => {
        const { h, a } = crew(stage);
        a.commit([{ key: 'k' }, { key: 'l' }], { at: 1 });
        finalEntries(h, [90, 91], []);
      },
    },
  ]);
});
