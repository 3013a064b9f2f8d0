/** Questions come back by row, however many different ones there are. */
import { expect, it } from 'vitest';
import { Questions } from '../../../harness/history/questions.ts';

it('gives each row its question back, past the 255th', () => {
  const questions = new Questions();
  const prefix = (row: number): string => `p${row % 700}/`;
  for (let row = 0; row < 5000; row += 3) questions.set(row, prefix(row), 1 + (row % 2));
  for (let row = 0; row < 5000; row++) {
    const asked = row % 3 === 0;
    expect(questions.prefixes.get(row)).toBe(asked ? prefix(row) : undefined);
    expect(questions.limits.get(row)).toBe(asked ? 1 + (row % 2) : undefined);
  }
  expect(questions.prefixes.get(1e6)).toBeUndefined();
});
