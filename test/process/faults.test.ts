/** The whole catalogue of faults, live: each does what it is for, and a run in which one does nothing is not green. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { FAULTS, type FaultRegistry, loadScenario, resolveStoreModule, runScenario } from 'fencepost/harness';
import { expect } from 'vitest';
import { FAULT_NAMES } from '../../harness/scenario/scenario.ts';
import { isNoNews, ROOT, resultsIn, run, soundRun } from '../support/cli.ts';
import { it } from '../support/scratch-test.ts';

it.concurrent('a sound store stays valid under all of them, and each is seen to do what it is for', async ({
  out,
}) => {
  const { results, finished } = await soundRun(['run', 'all-faults', '--quiet'], out, { seed: 6 });
  expect(results.reasons).toEqual([]);
  expect(finished.code).toBe(0);
  const parts = results.obligations.filter(({ id }) => /^O(8|13|19)\b/.test(id));
  expect(parts.map(({ id }) => id)).toHaveLength(11);
  const confirmed = results.faults.filter(({ confirmed: times }) => times > 0).map(({ fault }) => fault);
  expect(new Set(confirmed)).toEqual(new Set(FAULT_NAMES.filter((name) => name !== 'disk-full')));
}, 300_000);

it.concurrent('H03: those that claim success and do nothing leave their evidence unmet', async ({ out }) => {
  const lies = Object.fromEntries(
    FAULT_NAMES.map((name) => [
      name,
      {
        ...FAULTS[name],
        begin: () => ({
          inject: () => true,
          confirm: async () => ({ outcome: 'confirmed' }) as const,
          heal: () => {},
          confirmHealed: async () => ({ outcome: 'confirmed' }) as const,
        }),
      },
    ]),
  ) as unknown as FaultRegistry;
  const scenario = loadScenario(`${ROOT}scenarios/all-faults.yaml`);
  const { results } = await runScenario(
    {
      scenario: { ...scenario, phases: { ...scenario.phases, main: { minMs: 3_000, maxMs: 3_000 } } },
      seed: 3,
      out: out,
      storeModule: resolveStoreModule('sqlite'),
      signal: new AbortController().signal,
    },
    { faults: lies },
  );
  expect(results.verdict).toBe('inconclusive');
  const met = results.obligations.filter(({ id, met: isMet }) => isMet && /^O(8|13|19)\b/.test(id));
  expect(met).toEqual([]);
  expect(results.faults.reduce((sum, fault) => sum + fault.confirmed, 0)).toBeGreaterThan(0);
});

it.concurrent('skew finds a store that declares a clock of its own and asks its client for the time', async ({
  out,
}) => {
  const { code } = await run([
    'run',
    'skew',
    '--store',
    './test/fixtures/wall-clock-store.mjs',
    '--until-violation',
    '--seed',
    '4',
    '--out',
    out,
    '--quiet',
  ]);
  const { guarantees, verdict } = resultsIn(out);
  expect(verdict).toBe('violated');
  expect(code).toBe(1);
  const broken = guarantees.filter((one) => one.broken > 0).map((one) => one.guarantee);
  expect(broken.some((id) => ['S3', 'S11', 'S21'].includes(id))).toBe(true);
});

it.concurrent('crash-points hits one step of every call, and shows the matrix', async ({ out }) => {
  const { results, finished } = await soundRun(['crash-points', '--boundary', 'after-send', '--json'], out, {
    seed: 7,
  });
  const { killMatrix, reasons } = results;
  expect(reasons).toEqual([]);
  expect(finished.code).toBe(0);
  expect(new Set(killMatrix?.map(({ op }) => op))).toEqual(
    new Set(['enqueue', 'claim', 'claimNext', 'heartbeat', 'complete', 'nack', 'release']),
  );
  expect(killMatrix?.filter(({ verdict, hits }) => verdict !== 'held' || hits < 1)).toEqual([]);
}, 180_000);

/** Whether a small file system may be mounted here, in a namespace of its own. */
const canMount =
  spawnSync('unshare', ['-Urm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0;

it.skipIf(!canMount).concurrent(
  'a full disk makes writes fail, and takes nothing back that was acknowledged',
  async ({ out }) => {
    const inNamespace = async (seed: number) => {
      const command =
        'mount -t tmpfs -o size=8m tmpfs /mnt && exec "$0" dist/harness/cli/main.js run disk-full --seed "$2" --quiet --out "$1" --set faults.options.disk-full.folder=/mnt';
      const words = ['-Urm', 'sh', '-c', command, process.execPath, out, `${seed}`];
      const child = spawn('unshare', words, { cwd: ROOT, stdio: 'ignore' });
      const [status] = (await once(child, 'exit')) as [number | null];
      return { status, results: resultsIn(out) };
    };
    const first = await inNamespace(2);
    const { status, results } = isNoNews(first) ? await inNamespace(3) : first;
    expect(results.reasons).toEqual([]);
    expect(status).toBe(0);
    expect(results.faults.find(({ fault }) => fault === 'disk-full')?.confirmed).toBeGreaterThan(0);
  },
);
