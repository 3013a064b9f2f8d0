/** The power of the harness, one seed a mutant. M01 is the canary: a pipeline in which it is green is broken (H14). */
import { afterAll, expect, it } from 'vitest';
import { run, scratch } from '../support/cli.ts';

const LEASE_MUTANTS = ['M01', 'M03', 'M07', 'M12', 'M43', 'M53'];

const out = scratch();
afterAll(() => out.remove());

it('every mutant is violated, by a guarantee that its entry names, with a small witness', async () => {
  const { code, stdout } = await run(['mutants', '--json', '--seed', '11', '--out', out.path]);
  const { mutants } = JSON.parse(stdout) as {
    mutants: { id: string; verdict: string; by: string[]; witness: { least: number; most: number } }[];
  };
  const ids = mutants.map((mutant) => mutant.id);
  expect(ids).toEqual(expect.arrayContaining([...LEASE_MUTANTS, 'M28', 'M29', 'M30', 'M46', 'M47']));
  for (const { id, verdict, by, witness } of mutants) {
    expect({ id, verdict }).toEqual({ id, verdict: 'violated' });
    expect(by.length, id).toBeGreaterThan(0);
    // A version that a store made twice can be told from one commit and the final read; a lease needs two calls.
    expect(witness.least, id).toBeGreaterThanOrEqual(LEASE_MUTANTS.includes(id) ? 2 : 1);
    expect(witness.most, id).toBeLessThanOrEqual(4);
  }
  expect(code).toBe(0);
}, 600_000);
