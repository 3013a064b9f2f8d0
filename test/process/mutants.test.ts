/** The power of the harness, one seed a mutant. M01 is the canary: a pipeline in which it is green is broken (H14). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { aroundUrl, MUTANTS } from '../../scenarios/mutants/registry.ts';
import { run, scratch } from '../support/cli.ts';

interface Row {
  readonly id: string;
  readonly fate: string;
  readonly verdict: string;
  readonly by: readonly string[];
  readonly reason?: string;
  readonly witness?: { readonly least: number; readonly most: number };
}

const out = scratch();
afterAll(() => out.remove());

/** Starting processes and waiting take most of the time of a run, so two lists at once are nearly twice as quick. */
const LISTS = [0, 1].map((rest) => MUTANTS.filter((_, index) => index % 2 === rest).map(({ id }) => id));

/** The lists side by side, each as one command. */
async function runLists(lists: readonly (readonly string[])[], seed: number) {
  const ended = await Promise.all(
    lists.map((ids, list) =>
      run([
        'mutants',
        ...['--only', ids.join(','), '--json', '--seed', `${seed}`],
        ...['--out', join(out.path, `${seed}-${list}`)],
      ]),
    ),
  );
  const found = ended.map(
    ({ stdout }) => JSON.parse(stdout) as { mutants: readonly Row[]; notRun: readonly Row[] },
  );
  return {
    mutants: found.flatMap((one) => one.mutants),
    notRun: found.flatMap((one) => one.notRun),
    codes: ended.map(({ code }) => code),
  };
}

it('every mutant is violated, by a guarantee that its entry names, with a small witness', async () => {
  const first = await runLists(LISTS, 11);
  // Whether a mutant shows itself is a matter of chance: what one seed misses must be found by the next.
  const missed = first.mutants.filter(({ fate }) => fate === 'missed').map(({ id }) => id);
  const second = missed.length === 0 ? undefined : await runLists([missed], 12);
  const mutants = [...first.mutants.filter(({ id }) => !missed.includes(id)), ...(second?.mutants ?? [])];
  const { notRun } = first;
  const told = [...mutants, ...notRun].map(({ id }) => id).sort();
  expect(told).toEqual(MUTANTS.map(({ id }) => id));
  for (const { id, fate, by, verdict, reason, witness } of mutants) {
    const isLimit = MUTANTS.find((mutant) => mutant.id === id)?.limit !== undefined;
    // With the reason, so that a failure tells what went wrong.
    const why = fate === 'missed' || fate === 'accused' ? `${verdict}: ${reason}` : '';
    expect({ id, fate, why }).toEqual({ id, fate: isLimit ? 'limit' : 'caught', why: '' });
    if (isLimit) continue;
    expect(by.length, id).toBeGreaterThan(0);
    // The final scan alone may show what is missing or comes from nowhere; two calls contradict one another.
    expect(witness?.least, id).toBeGreaterThanOrEqual(1);
    expect(witness?.most, id).toBeLessThanOrEqual(4);
  }
  expect(mutants.find(({ id }) => id === 'M01')).toMatchObject({ verdict: 'violated' });
  expect((second ?? first).codes.every((code) => code === 0)).toBe(true);
}, 900_000);

it("a wrapper breaks a store that it only knows by its module's address (`--power`)", async () => {
  const compiled = (path: string): string => new URL(`../../dist/${path}`, import.meta.url).href;
  const wrapper = MUTANTS.find(({ id }) => id === 'M12')!;
  const around = new URL(aroundUrl(wrapper, compiled('src/stores/sqlite/module.js')));
  const address = JSON.stringify(`${compiled('scenarios/mutants/around.js')}${around.search}`);
  const store = join(out.path, 'wrapped.mjs');
  writeFileSync(store, `export * from ${address};\nexport { default } from ${address};\n`);
  const args = [
    'run',
    'kill-mid-lease',
    '--store',
    store,
    '--until-violation',
    '--reporter',
    'json',
    '--quiet',
  ];
  const { code, stdout } = await run([...args, '--seed', '3', '--out', out.path]);
  const { guarantees } = JSON.parse(stdout) as { guarantees: { guarantee: string; verdict: string }[] };
  expect(guarantees.filter(({ verdict }) => verdict === 'broken')).toContainEqual(
    expect.objectContaining({ guarantee: 'S3' }),
  );
  expect(code).toBe(1);
}, 120_000);
