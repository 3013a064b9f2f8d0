/** Background jobs of several processes on one file: spec/jobs.md checks 27-29, 53. */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createJobManager } from '../../src/jobs/manager.ts';
import type { ProcessProbe } from '../../src/jobs/process-probe.ts';
import type { JobStore } from '../../src/jobs/store.ts';
import type { JobManager, JobManagerOptions } from '../../src/jobs/types.ts';
import { createSqliteJobStore } from '../../src/stores/sqlite/jobs/store.ts';
import { type Child, endChildren, startChild } from '../support/run-child.ts';

const SOON = { timeout: 20_000, interval: 20 };
/** Heartbeats decide alone. */
const BLIND: ProcessProbe = { self: () => undefined, stateOf: () => 'unknown' };

let folder: string;
let file: string;
let stores: JobStore[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-jobs-'));
  file = join(folder, 'jobs.db');
  stores = [];
});
afterEach(async () => {
  await endChildren();
  for (const store of stores) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function boot(options: JobManagerOptions = {}): JobManager {
  const store = createSqliteJobStore({ file });
  stores.push(store);
  return createJobManager({ ...options, store });
}

async function hold(beats: { heartbeatMs?: number; staleAfterMs?: number } = {}) {
  const child = await startChild(new URL('./jobs-child.mjs', import.meta.url));
  const { jobId } = (await child.ask({ verb: 'hold', file, ...beats })) as { jobId: string };
  return { child, jobId };
}

const lostSoon = (jobs: JobManager) =>
  vi.waitFor(async () => expect(await jobs.reconcileOnStart()).toMatchObject({ lost: 1 }), SOON);

async function stop(child: Child): Promise<void> {
  child.process.kill('SIGSTOP');
  await vi.waitFor(
    async () => expect(await readFile(`/proc/${child.process.pid}/stat`, 'utf8')).toMatch(/\) T /),
    SOON,
  );
}

it('jobs 27, jobs 28: the jobs of a live process are left alone; killed, they are lost, since its process is gone', async () => {
  const a = await hold();
  const b = boot();
  expect(await b.reconcileOnStart()).toEqual({ lost: 0, redelivered: 0, rehydrated: 0 });
  expect(await a.child.ask({ verb: 'finish' })).toMatchObject({ ended: 'late', health: { fenced: 0 } });
  expect(await b.getResult(a.jobId)).toBe('late');

  const c = await hold();
  await c.child.kill();
  expect(await b.reconcileOnStart()).toMatchObject({ lost: 1 });
  expect(await b.getStatus(c.jobId)).toBe('lost');
});

it('jobs 28: where processes cannot be told apart, they are lost once the heartbeat is stale', async () => {
  const a = await hold({ heartbeatMs: 100, staleAfterMs: 400 });
  await a.child.kill();
  const b = boot({ heartbeatMs: 100, staleAfterMs: 400, processes: BLIND });
  await lostSoon(b);
  expect(await b.getStatus(a.jobId)).toBe('lost');
});

it('jobs 29: a process that is stopped for too long finds its job lost when it comes back, and its late end is counted', async () => {
  const a = await hold({ heartbeatMs: 100, staleAfterMs: 400 });
  await stop(a.child);
  const b = boot({ heartbeatMs: 100, staleAfterMs: 400 });
  await lostSoon(b);
  a.child.process.kill('SIGCONT');
  expect(await a.child.ask({ verb: 'finish' })).toMatchObject({
    ended: 'JOB_LOST',
    health: { fenced: 1, lateFinishes: 1 },
  });
  const [store] = stores;
  expect(await store?.get(a.jobId)).toMatchObject({ status: 'lost', result: null });
});

it('jobs 53: four processes on one file, no row lost, no lock error', async () => {
  const labels = ['a', 'b', 'c', 'd'];
  const children = await Promise.all(
    labels.map(() => startChild(new URL('./jobs-child.mjs', import.meta.url))),
  );
  const answers = (await Promise.all(
    children.map((child, i) => child.ask({ verb: 'many', file, label: labels[i], count: 60 })),
  )) as { results: string[]; health: unknown }[];
  for (const { health } of answers) {
    expect(health).toEqual(
      expect.objectContaining({ writeFailures: 0, heartbeatFailures: 0, unwritten: 0, fenced: 0 }),
    );
  }
  const all = await boot().listJobs('completed');
  expect(all.map(({ jobId, result }) => [jobId, result]).toSorted()).toEqual(
    answers.flatMap(({ results }) => results.map((id) => [id, id])).toSorted(),
  );
  expect(all).toHaveLength(240);
});
