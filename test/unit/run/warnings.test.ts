/** What was said before the start is said again in the results, and in the report. */
import { expect, it } from 'vitest';
import { PLAIN } from '../../../harness/report/style.ts';
import { renderText } from '../../../harness/report/text.ts';
import { feasibility } from '../../../harness/scenario/feasibility.ts';
import { loadScenario } from '../../../harness/scenario/load.ts';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import { ALL_METHODS } from '../obligation/seen.ts';
import { judged } from './situation.ts';

it('warnings of feasibility are worked out again from the history', () => {
  const file = new URL('../../../scenarios/kill-mid-lease.yaml', import.meta.url).pathname;
  const loaded = loadScenario(file);
  // Too short a main for the faults to be expected, and a longest one that is long enough.
  const scenario = { ...loaded, phases: { ...loaded.phases, main: { ...loaded.phases.main, minMs: 1_000 } } };
  const declares = declaresSchema.parse({ embedded: true });
  const { warnings } = feasibility({ scenario, declares, methods: ALL_METHODS });
  expect(warnings.length).toBeGreaterThan(0);
  const results = judged({ input: { scenario, declares, methods: ALL_METHODS } });
  expect(results.warnings).toEqual(warnings.map(({ what, why, fix }) => `${what} ${why} ${fix}`));
  const text = renderText(results, { style: PLAIN, directory: undefined });
  expect(text).toMatch(/ {2}warned +At most /);
  expect(judged({ input: { scenario: undefined } }).warnings).toEqual([]);
});
