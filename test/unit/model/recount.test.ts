import { expect, test } from 'vitest';
import { recount } from '../../../harness/model/recount.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';
import { event, finalEntries, finalFeed, onBoard } from '../../support/board-script.ts';
import { script } from '../../support/history-script.ts';

test('an empty history has nothing to count', () => {
  const counted = recount([], DEFAULT_DECLARES);
  expect(Object.values(counted.keys).every((keys) => keys.size === 0)).toBe(true);
  expect(counted.unbalanced).toBe(false);
});

test('counts every kind of breach by key', () => {
  const h = script();
  const w1 = h.worker('w1');
  w1.enqueue(['lost', 'kept', 'refuted', 'late/1'], { at: [0, 1], value: '"p"' });
  w1.claim('phantom', { at: [2, 3], generation: 1 });
  w1.claim('kept', { at: [2, 3], generation: 1, value: '"p"' });
  w1.complete('refuted', { at: [4, 5], generation: 1, value: '"r"', answer: 'stale' });
  w1.claimNext({ at: [6, 7], prefix: 'a/', grants: [{ key: 'late/1', generation: 1 }] });
  h.scan(
    [50, 51],
    [
      { key: 'kept', state: 'leased', generation: 1 },
      { key: 'refuted', state: 'done', value: '"r"' },
      { key: 'late/1', state: 'leased', generation: 2 },
      { key: 'kept', state: 'leased', generation: 1 },
    ],
  );
  const { keys, unbalanced } = recount(h.records(), DEFAULT_DECLARES);
  expect([...keys.S6]).toEqual(['lost']);
  expect([...keys.S8]).toEqual(['phantom', 'refuted']);
  expect([...keys.S9]).toEqual(['refuted']);
  expect([...keys.S13]).toEqual(['late/1']);
  expect([...keys.S19]).toEqual(['kept']);
  expect(unbalanced).toBe(true);
});

test('a call whose answer was torn off is unknown, and excuses', () => {
  const h = script();
  h.worker('w1').enqueue('k', { at: 0 });
  h.scan([50, 51], [{ key: 'k', state: 'open' }]);
  const { keys, unbalanced } = recount(h.records(), DEFAULT_DECLARES);
  expect([...keys.S6, ...keys.S8]).toEqual([]);
  expect(unbalanced).toBe(false);
});

test('counts the board by key, when asked', () => {
  const h = script();
  const w1 = onBoard(h.worker('w1'));
  w1.set('lost', { at: [0, 1], from: 0, made: 1 });
  w1.set('lost', { at: [2, 3], from: 1, made: 2 });
  w1.set('kept', { at: [4, 5], from: 0, made: 1 });
  finalEntries(
    h,
    [8, 9],
    [
      { key: 'kept', version: 1, value: '"v1"' },
      { key: 'lost', version: 1, value: '"v1"' },
    ],
  );
  finalFeed(h, [10, 11], [event(1, 'lost', 1), event(2, 'lost', 2), event(2, 'other', 1)]);
  const { board } = recount(h.records(), DEFAULT_DECLARES);
  expect(['lost', 'kept', 'other'].map((key) => [board.S16(key), board.S20(key), board.S22(key)])).toEqual([
    [true, true, false],
    [false, false, true],
    [true, true, true],
  ]);
  expect([board.S16(undefined), board.S20(undefined), board.S22(undefined)]).toEqual([false, false, false]);
});
