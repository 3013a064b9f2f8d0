/** The default scenario as `npm start` runs it, once, watched meanwhile; and the same verdict from the saved files. */
import { execFile, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OBLIGATIONS } from '../../harness/obligation/registry.ts';
import { Command, type Finished, isNoNews, ROOT, resultsIn, run, scratch, until } from '../support/cli.ts';
import { countCalls } from '../support/counts.ts';
import { schemaProblems } from '../support/published-schemas.ts';

const BLACKBOARD = join(ROOT, 'dist/src/cli/main.js');

const out = scratch();
let command: Command;
let finished: Finished;
/** What `blackboard watch` had printed by the end of the run. */
let watched = '';

/** The file of the store of a run, once it is there. */
function storeFile(folder: string): string | undefined {
  const store = join(folder, 'latest', 'store');
  const name = existsSync(store) ? readdirSync(store).find((file) => file.endsWith('.db')) : undefined;
  return name === undefined ? undefined : join(store, name);
}

async function watch(): Promise<() => Promise<void>> {
  await until(
    'main has begun',
    () => /main/.test(command.stderr) && storeFile(out.path) !== undefined,
    60_000,
  );
  const child = spawn(process.execPath, [BLACKBOARD, 'watch', storeFile(out.path)!, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  child.stdout.on('data', (chunk: Buffer) => {
    watched += chunk.toString();
  });
  return async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGINT');
    await ended;
  };
}

/** The run of one seed, watched from the beginning of its main to its end. */
async function watchedRun(seed: number) {
  watched = '';
  command = new Command([
    'run',
    'scenarios/kill-mid-lease.yaml',
    ...['--out', out.path, '--seed', `${seed}`, '--keep-store'],
  ]);
  const stopWatching = await watch();
  finished = await command.finished;
  await stopWatching();
  return { results: resultsIn(out.path) };
}

beforeAll(async () => {
  const first = await watchedRun(81_237);
  if (isNoNews(first)) await watchedRun(81_238);
}, 300_000);
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

it('writes results and histories in their published form', () => {
  expect(schemaProblems('results', resultsIn(out.path))).toEqual([]);
  const history = join(out.path, 'latest', 'history');
  for (const file of readdirSync(history)) {
    // Of each file some: the schemas of thousands of records would take long.
    for (const line of readFileSync(join(history, file), 'utf8').split('\n').slice(0, 40)) {
      if (line === '') continue;
      expect(schemaProblems('history-record', JSON.parse(line)), `${file}: ${line}`).toEqual([]);
    }
  }
});

it('is shown by `blackboard watch` as it happens: claims, reclaims and completes, none left out', () => {
  const events = watched
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { id: number; kind: string });
  const kinds = new Set(events.map(({ kind }) => kind));
  expect([...kinds]).toEqual(expect.arrayContaining(['claimed', 'reclaimed', 'completed']));
  const first = events[0]!.id;
  expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => first + i));
});

/** What the store counted, and what its clients were told, of each kind of call. */
async function counts(folder: string) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    BLACKBOARD,
    'stats',
    storeFile(folder)!,
    '--json',
  ]);
  const { counters } = JSON.parse(stdout) as { counters: Record<string, number> };
  const seen = countCalls(join(folder, 'latest', 'history'));
  const told = (...ops: string[]) => ({
    ok: ops.reduce((sum, op) => sum + (seen[op]?.ok ?? 0), 0),
    unknown: ops.reduce((sum, op) => sum + (seen[op]?.unknown ?? 0), 0),
  });
  return [
    { counter: 'completes', counted: counters.completes, ...told('complete') },
    { counter: 'releases', counted: counters.releases, ...told('release') },
    { counter: 'nacks', counted: counters.nacks, ...told('nack') },
    { counter: 'claims', counted: counters.claims, ...told('claim', 'claimNext') },
  ];
}

it('is counted by `blackboard stats` as its clients saw it', async () => {
  for (const { counter, counted, ok, unknown } of await counts(out.path)) {
    expect(ok, counter).toBeGreaterThan(10);
    expect(counted, counter).toBeGreaterThanOrEqual(ok);
    expect(counted, counter).toBeLessThanOrEqual(ok + unknown);
  }
});

it('is counted exactly when nobody was killed', async () => {
  const calm = scratch();
  try {
    const nothing = OBLIGATIONS.map(({ id }) => `obligations.${id}=0`);
    const settings = ['faults.kill=0', 'faults.twin=0', ...nothing].flatMap((one) => ['--set', one]);
    const { code, stderr } = await run([
      'run',
      'scenarios/kill-mid-lease.yaml',
      ...['--out', calm.path, '--seed', '7', '--duration', '3s', '--keep-store', '--quiet', ...settings],
    ]);
    expect(code, stderr).toBe(0);
    for (const { counter, counted, ok, unknown } of await counts(calm.path)) {
      expect({ counter, unknown, counted }).toEqual({ counter, unknown: 0, counted: ok });
    }
  } finally {
    calm.remove();
  }
});
