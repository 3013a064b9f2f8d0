/** The scenario inside a history: read back whole, filled in where it is older, told where it is wrong. */
import { expect, it } from 'vitest';
import { loadScenario } from '../../../harness/scenario/load.ts';
import { recordedScenario } from '../../../harness/scenario/recorded.ts';

const ours = JSON.parse(JSON.stringify(loadScenario('scenarios/kill-mid-lease.yaml'))) as Record<
  string,
  unknown
>;

it('reads back what a run wrote', () => {
  expect(recordedScenario(ours)).toEqual({ scenario: ours, problems: [] });
});

it('takes a run without faults as one without faults', () => {
  const { faults, ...off } = ours;
  expect(faults).toBeDefined();
  expect(recordedScenario(off)).toMatchObject({ scenario: { faults: undefined }, problems: [] });
});

it('fills in what an older run did not write', () => {
  const { check, ...older } = ours;
  expect(recordedScenario(older)).toEqual({ scenario: { ...older, check }, problems: [] });
});

it.each([
  [5, 'Expected `scenario` to be an object, got 5 (number).'],
  [{ workers: '4' }, 'Expected `scenario.workers` to be a number, got "4" (string).'],
  [{ phases: [] }, 'Expected `scenario.phases` to be an object, got a list.'],
  [{ check: { maxMs: 'long' } }, 'Expected `scenario.check.maxMs` to be a number, got "long" (string).'],
  [
    { obligations: { O1: 'many' } },
    'Expected `scenario.obligations.O1` to be a number, got "many" (string).',
  ],
])('tells what is wrong with %j', (recorded, problem) => {
  const { scenario, problems } = recordedScenario(recorded);
  expect(problems).toEqual([problem]);
  expect(scenario.workers).toBe(recordedScenario({}).scenario.workers);
});
