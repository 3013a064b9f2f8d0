/** The power of the harness, one seed a mutant. M01 is the canary: a pipeline in which it is green is broken (H14). */
import { afterAll, expect, it } from 'vitest';
import { MUTANTS } from '../../scenarios/mutants/registry.ts';
import { run, scratch } from '../support/cli.ts';

interface Row {
  readonly id: string;
  readonly fate: string;
  readonly verdict: string;
  readonly by: readonly string[];
  readonly witness?: { readonly least: number; readonly most: number };
}

const out = scratch();
afterAll(() => out.remove());

it('every mutant is violated, by a guarantee that its entry names, with a small witness', async () => {
  const { code, stdout } = await run(['mutants', '--json', '--seed', '11', '--out', out.path]);
  const { mutants, notRun } = JSON.parse(stdout) as { mutants: readonly Row[]; notRun: readonly Row[] };
  const told = [...mutants, ...notRun].map(({ id }) => id).sort();
  expect(told).toEqual(MUTANTS.map(({ id }) => id));
  for (const { id, fate, by, witness } of mutants) {
    const isLimit = MUTANTS.find((mutant) => mutant.id === id)?.limit !== undefined;
    expect({ id, fate }).toEqual({ id, fate: isLimit ? 'limit' : 'caught' });
    if (isLimit) continue;
    expect(by.length, id).toBeGreaterThan(0);
    // The final scan alone may show what is missing or comes from nowhere; two calls contradict one another.
    expect(witness?.least, id).toBeGreaterThanOrEqual(1);
    expect(witness?.most, id).toBeLessThanOrEqual(4);
  }
  expect(mutants.find(({ id }) => id === 'M01')).toMatchObject({ verdict: 'violated' });
  expect(code).toBe(0);
}, 600_000);
