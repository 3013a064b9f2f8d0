/** The power of the harness, one seed a mutant. M01 is the canary: a pipeline in which it is green is broken (H14). */
import { expect, it } from 'vitest';
import { run } from '../support/cli.ts';

it('every mutant is violated, by a guarantee that its entry names, with a witness of two to four operations', async () => {
  const { code, stdout } = await run(['mutants', '--json', '--seed', '11']);
  const { mutants } = JSON.parse(stdout) as {
    mutants: { id: string; verdict: string; caughtBy: string[]; breaks: string[]; witness: number }[];
  };
  expect(mutants.map((mutant) => mutant.id)).toEqual(['M01', 'M03', 'M07', 'M12', 'M43', 'M53']);
  for (const { id, verdict, caughtBy, breaks, witness } of mutants) {
    expect({ id, verdict }).toEqual({ id, verdict: 'violated' });
    expect(caughtBy.filter((guarantee) => breaks.includes(guarantee)).length, id).toBeGreaterThan(0);
    expect(witness, id).toBeGreaterThanOrEqual(2);
    expect(witness, id).toBeLessThanOrEqual(4);
  }
  expect(code).toBe(0);
}, 600_000);
