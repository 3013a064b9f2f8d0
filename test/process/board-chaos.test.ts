/** The workloads of the board, each once and short, with kills and pauses: the SQLite store keeps what it promises. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ROOT, resultsIn, run, scratch } from '../support/cli.ts';

let out: ReturnType<typeof scratch>;
beforeEach(() => {
  out = scratch();
});
afterEach(() => out.remove());

/** Few seconds can only show a little of everything; whole runs of the scenarios ask for the default. */
const LITTLE = [
  'O1=2',
  'O2=1',
  'O3=1',
  'O4=1',
  'O5=10',
  'O12=2',
  'O15=3',
  'O17=0',
  'O18.killed=2',
  'O18.stopped=2',
];
const SETTINGS = [
  'phases.main.min=5s',
  'phases.main.max=30s',
  ...LITTLE.map((one) => `obligations.${one}`),
].flatMap((one) => ['--set', one]);

const chaos = (scenario: string, ...more: string[]) =>
  run([
    'run',
    `scenarios/${scenario}.yaml`,
    '--out',
    out.path,
    '--seed',
    '81237',
    '--quiet',
    ...SETTINGS,
    ...more,
  ]);

describe.each(['register', 'log', 'feed', 'mixed', 'tier-2'])('%s', (scenario) => {
  it('is valid, and judged the same from its files', async () => {
    const { code, stderr } = await chaos(scenario);
    const results = resultsIn(out.path);
    expect(results.reasons, stderr).toEqual([]);
    expect(results.verdict).toBe('valid');
    expect(code).toBe(0);
    const { board } = results.numbers;
    expect(board?.commits).toBeGreaterThan(100);
    if (scenario === 'log') expect(board?.conflicts).toBe(0);
    else expect(board?.conflicts).toBeGreaterThan(5);
    if (scenario !== 'register') expect(board?.appends).toBeGreaterThan(50);
    if (scenario === 'feed' || scenario === 'mixed') expect(board?.eventsFollowed).toBeGreaterThan(500);
    const leases = scenario === 'mixed' || scenario === 'tier-2';
    expect(results.obligations.some(({ id }) => id === 'O1')).toBe(leases);
    expect(results.obligations.some(({ id }) => id === 'O18.killed')).toBe(!leases);

    const again = await run(['check', `${out.path}/latest`, '--reporter', 'json']);
    expect(JSON.parse(again.stdout)).toEqual(results);
  });
});

it('runs a store that has entries and nothing else, and that prints more than a pipe holds (F16)', async () => {
  const store = `${ROOT}test/fixtures/entries-only-store.mjs`;
  const { code, stderr } = await chaos('register', '--store', store);
  const results = resultsIn(out.path);
  expect(results.reasons, stderr).toEqual([]);
  expect(results.verdict).toBe('valid');
  expect(code).toBe(0);
  expect(results.numbers.claims).toBe(0);
});

it('refuses a workload that the store cannot do, before anything starts', async () => {
  const { code, stderr } = await chaos('feed', '--store', `${ROOT}test/fixtures/entries-only-store.mjs`);
  expect(code).toBe(64);
  expect(stderr).toContain('The store has no `feed` facet.');
  expect(stderr).toContain('workload: { kind: register }');
});
