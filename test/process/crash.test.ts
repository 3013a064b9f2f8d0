/** Case A32: a mistake in our own code is a harness error, whoever else did well. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { resultsIn, run, scratch } from '../support/cli.ts';

let out: ReturnType<typeof scratch>;
beforeEach(() => {
  out = scratch();
});
afterEach(() => out.remove());

const args = (path: string): string[] => [
  'run',
  'scenarios/kill-mid-lease.yaml',
  '--out',
  path,
  '--set',
  'workload.module=../test/fixtures/throwing-workload.mjs',
];

it.each([
  ['in every worker', {}],
  ['in one of four', { FENCEPOST_THROW_IN: 'w3' }],
])('a workload that throws %s', async (_, env: Record<string, string>) => {
  const { code, stderr } = await run(args(out.path), env);
  const results = resultsIn(out.path);
  expect(results.verdict).toBe('harness-error');
  expect(code).toBe(3);
  const told = results.reasons.map((reason) => reason.message).join('\n');
  expect(told).toMatch(/mistake in the workload/);
  expect(told).toMatch(/w3/);
  expect(stderr).toMatch(/mistake in the workload/);
});
