/** Durable plans under kills and pauses, as a run: valid with all evidence, and judged the same from its files. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PLAN_GUARANTEES } from '../../harness/checker/plan-accuse.ts';
import { resultsIn, run, scratch } from '../support/cli.ts';

let out: ReturnType<typeof scratch>;
beforeEach(() => {
  out = scratch();
});
afterEach(() => out.remove());

/** Few seconds can only show a little of what kills and stops do; the other minima stay as they are. */
const LITTLE = ['O12=2', 'O18.killed=2', 'O18.stopped=2', 'O20.killed=2', 'O20.reclaimed=1', 'O20.stale=2'];
const SETTINGS = ['phases.main.min=2500ms', ...LITTLE.map((one) => `obligations.${one}`)].flatMap((one) => [
  '--set',
  one,
]);

it('keeps every guarantee in every version, and is judged the same from its files', async () => {
  const { code, stderr } = await run([
    'run',
    'scenarios/plan.yaml',
    '--out',
    out.path,
    '--seed',
    '81237',
    '--quiet',
    ...SETTINGS,
  ]);
  const results = resultsIn(out.path);
  expect(results.reasons, stderr).toEqual([]);
  expect(code).toBe(0);
  const of = (id: string) => results.guarantees.find(({ guarantee }) => guarantee === id)!;
  for (const id of PLAN_GUARANTEES) {
    // A call on a closed task comes by itself; for the others the evidence is asked for.
    const verdicts = id === 'P4' ? ['held', 'no opportunity'] : ['held'];
    expect([id, verdicts.includes(of(id).verdict)]).toEqual([id, true]);
  }
  expect(of('S16').verdict).toBe('held');
  expect(results.obligations.filter(({ id }) => id.startsWith('O20'))).toHaveLength(10);
  expect(results.numbers.plans?.handedOutAgain).toBeGreaterThan(0);

  const again = await run(['check', `${out.path}/latest`, '--reporter', 'json']);
  expect(JSON.parse(again.stdout)).toEqual(results);
}, 120_000);
