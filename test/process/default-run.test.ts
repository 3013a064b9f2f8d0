/** The default scenario as `npm start` runs it, once; and the same verdict from the saved files. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Command, type Finished, ROOT, resultsIn, run, scratch } from '../support/cli.ts';
import { countCalls } from '../support/counts.ts';

const out = scratch();
let command: Command;
let finished: Finished;
beforeAll(async () => {
  command = new Command([
    'run',
    'scenarios/kill-mid-lease.yaml',
    '--out',
    out.path,
    '--seed',
    '81237',
    '--keep-store',
  ]);
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

it('is counted by `blackboard stats` as its clients saw it', async () => {
  const store = join(out.path, 'latest', 'store');
  const file = readdirSync(store).find((name) => name.endsWith('.db'))!;
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(ROOT, 'dist/src/cli/main.js'),
    'stats',
    join(store, file),
    '--json',
  ]);
  const { counters } = JSON.parse(stdout) as { counters: Record<string, number> };
  const seen = countCalls(join(out.path, 'latest', 'history'));
  const claims = { ok: 0, unknown: 0 };
  for (const op of ['claim', 'claimNext']) {
    claims.ok += seen[op]?.ok ?? 0;
    claims.unknown += seen[op]?.unknown ?? 0;
  }
  expect(seen.complete?.ok).toBeGreaterThan(100);
  for (const [counter, { ok, unknown }] of [
    ['completes', seen.complete!],
    ['releases', seen.release!],
    ['nacks', seen.nack!],
    ['claims', claims],
  ] as const) {
    expect(counters[counter], counter).toBeGreaterThanOrEqual(ok);
    expect(counters[counter], counter).toBeLessThanOrEqual(ok + unknown);
  }
});
