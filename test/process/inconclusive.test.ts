/** Runs that go through and prove nothing: never valid. */

import { FAULTS, type FaultRegistry, loadScenario, resolveStoreModule, runScenario } from 'fencepost/harness';
import { expect } from 'vitest';
import { ROOT, resultsIn, run } from '../support/cli.ts';
import { it } from '../support/scratch-test.ts';

it.concurrent('H03: faults that claim success and do nothing leave their obligations unmet', async ({
  out,
}) => {
  const lie = (name: 'kill' | 'pause' | 'twin') => ({
    ...FAULTS[name],
    begin: () => ({
      inject: () => true,
      confirm: async () => ({ outcome: 'confirmed' }) as const,
      heal: () => {},
      confirmHealed: async () => ({ outcome: 'confirmed' }) as const,
    }),
  });
  const faults: FaultRegistry = { ...FAULTS, kill: lie('kill'), pause: lie('pause'), twin: lie('twin') };
  const scenario = loadScenario(`${ROOT}scenarios/kill-mid-lease.yaml`);
  const { results } = await runScenario(
    {
      scenario: {
        ...scenario,
        phases: { ...scenario.phases, main: { minMs: 3_000, maxMs: 3_000 } },
        obligations: { O1: 1, O2: 1, O3: 1 },
      },
      seed: 3,
      out: out,
      storeModule: resolveStoreModule('sqlite'),
      signal: new AbortController().signal,
    },
    { faults },
  );
  expect(results.faults.reduce((sum, fault) => sum + fault.confirmed, 0)).toBeGreaterThan(10);
  expect(results.verdict).toBe('inconclusive');
  const unmet = results.obligations.filter((part) => !part.met).map((part) => part.id);
  expect(unmet).toEqual(expect.arrayContaining(['O1', 'O2', 'O3', 'O12']));
});

it.concurrent('A27: a store that is down in the fault phase', async ({ out }) => {
  const { code } = await run([
    'run',
    'scenarios/kill-mid-lease.yaml',
    '--out',
    out,
    '--duration',
    '3s',
    '--quiet',
    '--store',
    './test/fixtures/failing-later-store.mjs',
    '--set',
    'phases.leadIn.max=1s',
    '--set',
    'obligations.O1=1',
    '--set',
    'obligations.O2=1',
  ]);
  const results = resultsIn(out);
  expect(results.verdict).toBe('inconclusive');
  expect(code).toBe(2);
  expect(results.reasons.map((reason) => reason.message).join('\n')).toMatch(
    /no successful claim, heartbeat or complete in the fault phase/i,
  );
});
