/** A refusal says where the scenario, or a flag, said what it speaks of. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { placeOfConcern } from '../../../harness/scenario/concern-place.ts';
import { feasibility } from '../../../harness/scenario/feasibility.ts';
import { readScenario } from '../../../harness/scenario/load.ts';
import { parseSet } from '../../../harness/scenario/set.ts';
import { formatPlace } from '../../../harness/scenario/usage-error.ts';
import { declaresSchema } from '../../../harness/store-module/declares.ts';
import { ALL_METHODS } from '../obligation/seen.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-place-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The place of the first refusal, with the folder left out. */
function placeOf(text: string, sets: readonly string[] = [], declares: object = {}): string {
  const file = join(folder, 'a.yaml');
  writeFileSync(file, text);
  const { scenario, source } = readScenario(file, { overrides: sets.map(parseSet) });
  const input = { scenario, declares: declaresSchema.parse(declares), methods: ALL_METHODS };
  const [first] = feasibility(input).refusals;
  if (first === undefined) throw new Error('expected a refusal');
  return formatPlace(placeOfConcern(first, source)).replace(`${folder}/`, '');
}

it.each([
  ['name: x\nworkers: 1', 'a.yaml:2:10'],
  ['name: x\n\nfaults: off', 'a.yaml:3:9'],
  ['lease: 10m', 'a.yaml:1:8'],
  ['name: x\nphases:\n  main: { min: 50s, max: 20s }', 'a.yaml:3:16'],
  ['name: x\nheartbeat: 2s', 'a.yaml:2:12'],
  ['workload:\n  zombies: { polite: 1, late: 0, stubborn: 0 }', 'a.yaml:2:12'],
  ['faults: { kill: 0, pause: 1, twin: 0 }', 'a.yaml:1:9'],
])('in the file: %j', (text, place) => {
  expect(placeOf(text)).toBe(place);
});

it.each([
  [['workers=1'], '--set workers=1'],
  [['faults=off'], '--set faults=off'],
  // The lease is a default; what was typed makes it too long.
  [['phases.main={ min: 100ms, max: 100ms }'], '--set phases.main={ min: 100ms, max: 100ms }'],
])('by a flag: %j', (sets, place) => {
  expect(placeOf('name: x', sets)).toBe(place);
});

it('is the file where all of it is default', () => {
  expect(placeOf('name: x', [], { sharedBy: 'process' })).toBe('a.yaml');
});
