/** The default scenario as `npm start` runs it, once; and the same verdict from the saved files. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Command, type Finished, resultsIn, run, scratch } from '../support/cli.ts';

const out = scratch();
let command: Command;
let finished: Finished;
beforeAll(async () => {
  command = new Command(['run', 'scenarios/kill-mid-lease.yaml', '--out', out.path, '--seed', '81237']);
  finished = await command.finished;
}, 150_000);
afterAll(() => {
  command.endAll();
  out.remove();
});

it('is valid, with every obligation met, and exits 0', () => {
  const results = resultsIn(out.path);
  expect(results.reasons).toEqual([]);
  expect(results.verdict).toBe('valid');
  expect(results.obligations.filter((part) => !part.met && part.notTested === undefined)).toEqual([]);
  expect(finished.code).toBe(0);
});

it('says how strong the evidence is', () => {
  const { guarantees } = resultsIn(out.path);
  const fenced = guarantees.find((guarantee) => guarantee.guarantee === 'S4');
  expect(fenced?.opportunities).toBeGreaterThan(10);
  expect(fenced?.atMost).toBeCloseTo(3 / fenced!.opportunities, 6);
  expect(finished.stderr).toMatch(/VALID/);
});

it('leaves no process alive and no ledger', () => {
  expect(command.alive()).toEqual([]);
  expect(readdirSync(join(out.path, '.running'))).toEqual([]);
});

it('is judged the same from its files', async () => {
  const { code, stdout } = await run(['check', join(out.path, 'latest'), '--reporter', 'json']);
  expect(code).toBe(0);
  const again = JSON.parse(stdout) as ReturnType<typeof resultsIn>;
  expect(again).toEqual(resultsIn(out.path));
});
