/** The workloads of the board, each once and short, with kills and pauses: the SQLite store keeps what it promises. */
import { describe, expect, it } from 'vitest';
import type { Results } from '../../harness/report/results.ts';
import { ROOT, run, scratch, soundRun } from '../support/cli.ts';

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

/** Runs it in a folder of its own, and lets `look` see the results and the folder. */
async function chaos(
  words: readonly string[],
  look: (results: Results, folder: string) => void | Promise<void>,
): Promise<void> {
  const out = scratch();
  try {
    const { results, finished } = await soundRun(words, out.path, { seed: 81_237 });
    expect(results.reasons, finished.stderr).toEqual([]);
    expect(results.verdict).toBe('valid');
    expect(finished.code).toBe(0);
    await look(results, out.path);
  } finally {
    out.remove();
  }
}

// Two at once: each waits most of its time for its processes to start, to stop and to come to an end.
describe.concurrent.each(['register', 'log', 'feed', 'mixed', 'tier-2'])('%s', (scenario) => {
  it('is valid, and judged the same from its files', () =>
    chaos(args(scenario), async (results, folder) => {
      const { board } = results.numbers;
      expect(board?.commits).toBeGreaterThan(100);
      if (scenario === 'log') expect(board?.conflicts).toBe(0);
      else expect(board?.conflicts).toBeGreaterThan(5);
      if (scenario !== 'register') expect(board?.appends).toBeGreaterThan(50);
      if (scenario === 'feed' || scenario === 'mixed') expect(board?.eventsFollowed).toBeGreaterThan(500);
      const leases = scenario === 'mixed' || scenario === 'tier-2';
      expect(results.obligations.some(({ id }) => id === 'O1')).toBe(leases);
      expect(results.obligations.some(({ id }) => id === 'O18.killed')).toBe(!leases);

      const again = await run(['check', `${folder}/latest`, '--reporter', 'json']);
      expect(JSON.parse(again.stdout)).toEqual(results);
    }));
});

const ENTRIES_ONLY = ['--store', `${ROOT}test/fixtures/entries-only-store.mjs`];

it('runs a store that has entries and nothing else, and that prints more than a pipe holds (F16)', () =>
  chaos(args('register', ...ENTRIES_ONLY), (results) => expect(results.numbers.claims).toBe(0)));

it('refuses a workload that the store cannot do, before anything starts', async () => {
  const { code, stderr } = await run(args('feed', ...ENTRIES_ONLY));
  expect(code).toBe(64);
  expect(stderr).toContain('The store has no `feed` facet.');
  expect(stderr).toContain('workload: { kind: register }');
});
