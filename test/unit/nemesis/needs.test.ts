/** A fault that cannot be suffered here is refused with what is missing; one without a weight is never asked. */
import { expect, it } from 'vitest';
import { unmetNeeds } from '../../../harness/nemesis/registry.ts';
import { parseScenario } from '../../../harness/scenario/load.ts';
import { DEFAULT_DECLARES } from '../../../harness/store-module/declares.ts';

const refusals = (faults: string, pausePoints = false, canHog = false): string[] =>
  unmetNeeds({
    scenario: parseScenario(`name: t\nfaults: ${faults}`, 't.yaml'),
    declares: { ...DEFAULT_DECLARES, pausePoints },
    methods: ['claimNext', 'complete'],
    canHog,
  }).map(({ what }) => what);

it('asks nothing of the default scenario', () => {
  expect(refusals('{}')).toEqual([]);
});

it.each([
  ['{ hog: 1 }', /does not export `hog`/],
  ['{ stall: 1 }', /declares no `pausePoints`/],
  ['{ crash-point: 1, options: { crash-point: { boundaries: [in-transaction] } } }', /no `pausePoints`/],
  ['{ crash-point: 1, options: { crash-point: { ops: [nack] } } }', /The store has no `nack`/],
  ['{ starve: 1, options: { starve: { leases: { min: 0.5 } } } }', /`faults.options.starve.leases.min`/],
  ['{ skew: 1, options: { skew: { by: { min: 1 } } } }', /`faults.options.skew.by.min`/],
  ['{ disk-full: 1 }', /names no file system to fill/],
  ['{ disk-full: 1, options: { disk-full: { folder: /no/such/folder } } }', /There is no folder/],
])('refuses %s', (faults, what) => {
  expect(refusals(faults)).toEqual([expect.stringMatching(what)]);
});

it('refuses none of them where the store offers what they need', () => {
  const points = 'options: { crash-point: { boundaries: [in-transaction], ops: [complete] } }';
  expect(refusals(`{ hog: 1, stall: 1, skew: 1, starve: 1, crash-point: 1, ${points} }`, true, true)).toEqual(
    [],
  );
});
