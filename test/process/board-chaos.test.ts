/** The workloads of the board, each once and short, with kills and pauses: the SQLite store keeps what it promises. */
import { describe, expect } from 'vitest';
import { ROOT, run, soundRun } from '../support/cli.ts';
import { it } from '../support/scratch-test.ts';

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

const args = (scenario: string, ...more: string[]) => [
  'run',
  `scenarios/${scenario}.yaml`,
  '--quiet',
  ...SETTINGS,
  ...more,
];

const chaos = async (out: string, ...words: readonly string[]) => {
  const { results, finished } = await soundRun(words, out, { seed: 81_237 });
  expect(results.reasons, finished.stderr).toEqual([]);
  expect(results.verdict).toBe('valid');
  expect(finished.code).toBe(0);
  return results;
};

// Two at once: each waits most of its time for its processes to start, to stop and to come to an end.
describe.concurrent.each(['register', 'log', 'feed', 'mixed', 'tier-2'])('%s', (scenario) => {
  it('is valid, and judged the same from its files', async ({ out }) => {
    const results = await chaos(out, ...args(scenario));
    const { board } = results.numbers;
    expect(board?.commits).toBeGreaterThan(100);
    if (scenario === 'log') expect(board?.conflicts).toBe(0);
    else expect(board?.conflicts).toBeGreaterThan(5);
    if (scenario !== 'register') expect(board?.appends).toBeGreaterThan(50);
    if (scenario === 'feed' || scenario === 'mixed') expect(board?.eventsFollowed).toBeGreaterThan(500);
    const leases = scenario === 'mixed' || scenario === 'tier-2';
    expect(results.obligations.some(({ id }) => id === 'O1')).toBe(leases);
    expect(results.obligations.some(({ id }) => id === 'O18.killed')).toBe(!leases);

    const again = await run(['check', `${out}/latest`, '--reporter', 'json']);
    expect(JSON.parse(again.stdout)).toEqual(results);
  });
});

const ENTRIES_ONLY = ['--store', `${ROOT}test/fixtures/entries-only-store.mjs`];

it('runs a store that has entries and nothing else, and that prints more than a pipe holds (F16)', async ({
  out,
}) => {
  const results = await chaos(out, ...args('register', ...ENTRIES_ONLY));
  expect(results.numbers.claims).toBe(0);
});

it('refuses a workload that the store cannot do, before anything starts', async () => {
  const { code, stderr } = await run(args('feed', ...ENTRIES_ONLY));
  expect(code).toBe(64);
  expect(stderr).toContain('The store has no `feed` facet.');
  expect(stderr).toContain('workload: { kind: register }');
});
