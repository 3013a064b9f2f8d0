/** `fencepost run --power`, in a world without processes. */
import { join, resolve } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { CliContext, MutantEntry } from '../../../harness/cli/context.ts';
import { runCli } from '../../../harness/cli/program.ts';
import type { Results } from '../../../harness/report/results.ts';
import { PLAIN } from '../../../harness/report/style.ts';
import type { RunOptions } from '../../../harness/run/api.ts';
import { guarantee, obligation, STALE_COMPLETE, VALID } from '../report/sample.ts';

const GREEN: Results = {
  ...VALID,
  guarantees: [guarantee('S4', 81), guarantee('S9', 12), guarantee('S16', 0)],
  obligations: [obligation('O3', 'zombies', 9, 5), obligation('O17', 'twins', 4, 3)],
};
const SEEN: Results = {
  ...GREEN,
  verdict: 'violated',
  guarantees: [guarantee('S4', 81, [STALE_COMPLETE])],
  firstViolationMs: 1100,
};
const UNSEEN: Results = { ...GREEN, verdict: 'valid', obligations: [obligation('O17', 'twins', 1, 0)] };

const mutant = (id: string, breaks: string[], evidence: string[]): MutantEntry => ({
  id,
  title: `what ${id} breaks`,
  breaks,
  needs: 'A zombie.',
  url: `file:///${id}.js`,
  power: { evidence, around: (store) => `file:///around.js?mutant=${id}&store=${store}` },
});
const MUTANTS: readonly MutantEntry[] = [
  mutant('M01', ['S4'], ['O3']),
  { id: 'M02', title: 'core only', breaks: ['S4'], needs: '', url: 'file:///m02.js' },
  mutant('M03', ['S4'], ['O17']),
  mutant('M28', ['S16'], ['O15']),
  mutant('M33', ['S9'], []),
];

interface World {
  readonly green?: Results;
  readonly onRun?: (options: RunOptions, abort: () => void) => void;
}

async function power(args: readonly string[] = [], { green = GREEN, onRun }: World = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const runs: RunOptions[] = [];
  const controller = new AbortController();
  const context: CliContext = {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    style: PLAIN,
    cwd: process.cwd(),
    command: 'fencepost',
    scenarios: resolve('scenarios'),
    runScenario: async (options) => {
      runs.push(options);
      onRun?.(options, () => controller.abort('interrupt'));
      const { spec } = options.storeModule;
      const results = spec === 'sqlite' ? green : spec.startsWith('M01') ? SEEN : UNSEEN;
      return { results, directory: join('reports', 'run') };
    },
    checkDirectory: async () => VALID,
    mutants: MUTANTS,
    display: () => ({ moves: false, show: () => {}, clear: () => {} }),
    interruption: {
      signal: controller.signal,
      by: () => (controller.signal.aborted ? 'SIGINT' : undefined),
    },
    randomSeed: () => 4711,
  };
  const code = await runCli(['run', 'kill-mid-lease', '--power', ...args], context);
  return { code, out: out.join(''), err: err.join(''), runs };
}

describe('fencepost run --power', () => {
  it('breaks the same store in every way that the scenario could see, with the same scenario and seed', async () => {
    const { code, err, runs } = await power();
    expect(code).toBe(0);
    const [first, ...wrapped] = runs;
    expect(wrapped.map(({ storeModule }) => storeModule)).toEqual(
      ['M01', 'M03', 'M33'].map((id) => ({
        spec: `${id} around sqlite`,
        url: `file:///around.js?mutant=${id}&store=${first?.storeModule.url}`,
      })),
    );
    for (const run of wrapped) {
      expect(run).toMatchObject({ seed: 4711, untilViolation: true, out: 'reports/power' });
      expect(run.scenario.faults).toEqual(first?.scenario.faults);
      expect(run.scenario.phases.main.maxMs).toBeLessThanOrEqual(15_000);
      // Evidence is compared afterwards: a short run must not be refused for what it cannot reach.
      expect(new Set(Object.values(run.scenario.obligations))).toEqual(new Set([0]));
    }
    expect(err).toContain('power 1/4  M01');
  });

  it('tells what was noticed, by what and when, and what is missing for the rest', async () => {
    const { err } = await power();
    const text = err.slice(err.indexOf('POWER'));
    expect(text).toMatch(/^POWER {3}1 of 3 bug classes would have been noticed/);
    expect(text).toContain('M01 what M01 breaks\n          S4, after 1.1 s');
    expect(text).toMatch(/O17 twins: 1 of 3 seen. Change something so that twins is seen more\s+often./);
    expect(text).toContain('All evidence was there, and it did not show. It needs: A zombie.');
    expect(text).toMatch(/M28 what M28 breaks\n {10}this scenario gives `S16 no update lost` no/);
    expect(text).not.toContain('M02');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('adds it to the JSON', async () => {
    const { out } = await power(['--reporter', 'json']);
    expect(JSON.parse(out)).toMatchObject({
      verdict: 'valid',
      power: {
        interrupted: false,
        classes: [
          { id: 'M01', fate: 'noticed', by: ['S4'], afterMs: 1100, missing: [] },
          { id: 'M03', fate: 'missed' },
          { id: 'M28', fate: 'not tried' },
          { id: 'M33', fate: 'missed' },
        ],
      },
    });
  });

  it('is measured after a valid run only', async () => {
    const { code, err, runs } = await power([], { green: { ...GREEN, verdict: 'inconclusive' } });
    expect([code, runs.length]).toEqual([2, 1]);
    expect(err).toContain('after a valid run only');
  });

  it('starts no further run once its time is up', async () => {
    // A minute goes by in the first run with a broken store, however fast or slow this machine is.
    const own = performance.now.bind(performance);
    let later = 0;
    const now = vi.spyOn(performance, 'now').mockImplementation(() => own() + later);
    const { err, runs } = await power(['--power-max', '30s'], {
      onRun: ({ storeModule }) => {
        if (storeModule.spec.startsWith('M01')) later = 60_000;
      },
    }).finally(() => now.mockRestore());
    expect(runs).toHaveLength(2);
    expect(err.replaceAll(/\s+/g, ' ')).toContain('M03 what M03 breaks the time was up (`--power-max`)');
  });

  it('an interruption leaves what is known by then', async () => {
    const { code, err, runs } = await power([], {
      onRun: ({ storeModule }, abort) => {
        if (storeModule.spec.startsWith('M01')) abort();
      },
    });
    expect([code, runs.length]).toEqual([130, 2]);
    expect(err).toContain('1 of 1 bug classes');
    expect(err).toContain('M03 what M03 breaks\n          interrupted before its turn');
  });

  it('refuses a time without a unit', async () => {
    expect((await power(['--power-max', '5'])).code).toBe(64);
  });
});
