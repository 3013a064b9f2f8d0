/** Pauses after lost races: spec/plan.md A5.11. */
import { expect, it } from 'vitest';
import { createPace } from '../../../src/plan/pace.ts';

it('each loss doubles the longest pause, up to a limit; a verb that is through at once takes one step back', () => {
  const pace = createPace(() => 1);
  expect(Array.from({ length: 8 }, () => pace.lost(5))).toEqual([10, 20, 40, 80, 160, 320, 320, 320]);
  pace.won();
  pace.won();
  expect(pace.lost(5)).toBe(160);
  for (let i = 0; i < 20; i += 1) pace.won();
  expect(pace.lost(0)).toBe(2);
  for (let i = 0; i < 20; i += 1) pace.lost(1);
  expect(pace.lost(1e6)).toBe(2000);
});

it('pauses are spread from nothing to the longest', () => {
  const values = [0, 0.25, 0.5];
  const pace = createPace(() => values.shift() ?? 1);
  expect([pace.lost(10), pace.lost(10), pace.lost(10)]).toEqual([0, 10, 40]);
});
