/** Stores that lease by key only: the claims of all lanes meet on few keys, nothing stays behind, and the drain ends. */
import { expect, test } from 'vitest';
import { keySchedule } from '../../../harness/workload/key-schedule.ts';

test('keys come without a gap, never go back, and are few in scarce windows', () => {
  const schedule = keySchedule(8, 20, 1);
  let before = 0;
  for (let ms = 0; ms <= 10_000; ms += 7) {
    const now = schedule.keysBy(ms);
    expect(now).toBeGreaterThanOrEqual(before);
    before = now;
  }
  const scarce = schedule.keysBy(1_000) - schedule.keysBy(0);
  const plentiful = schedule.keysBy(2_000) - schedule.keysBy(1_000);
  expect(scarce).toBeGreaterThan(10);
  expect(plentiful).toBeGreaterThan(4 * scarce);
  expect(schedule.isScarce(500)).toBe(true);
  expect(schedule.isScarce(1_500)).toBe(false);
});

test('two streams share the keys by their parts', () => {
  const all = keySchedule(8, 20, 1).keysBy(60_000);
  const parts = keySchedule(8, 20, 0.6).keysBy(60_000) + keySchedule(8, 20, 0.4).keysBy(60_000);
  expect(Math.abs(parts - all)).toBeLessThan(all / 50);
});
