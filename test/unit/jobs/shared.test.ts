/** The manager of a process: spec/jobs.md checks 54-57, and D4-12. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defaultJobsFile, storeIsOn } from '../../../src/jobs/environment.ts';
import { createJobManager } from '../../../src/jobs/manager.ts';
import { getJobManager } from '../../../src/jobs/shared.ts';
import { createSqliteJobStore } from '../../../src/stores/sqlite/jobs/store.ts';
import { gate, ORIGIN, raw, receiver, start } from './jobs.ts';

let home: string;
let file: string;
beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'fencepost-home-')), 'not', 'there');
  file = join(home, 'runs', 'background_jobs.db');
  vi.stubEnv('FENCEPOST_HOME', home);
  vi.stubEnv('FENCEPOST_JOB_STORE', undefined);
});
afterEach(async () => {
  vi.stubEnv('FENCEPOST_JOB_STORE', '1');
  await (await getJobManager()).shutdown({ wait: false });
  vi.unstubAllEnvs();
  rmSync(join(home, '..', '..'), { recursive: true, force: true });
});

describe('the environment', () => {
  it.each(['0', 'false', 'FALSE', ' 0 ', '\tFalse'])(
    'jobs 54: %j turns the store off: no file, nothing reconciled',
    async (said) => {
      vi.stubEnv('FENCEPOST_JOB_STORE', said);
      const jobs = await getJobManager();
      expect(await jobs.getResult(await start(jobs, () => 1))).toBe(1);
      expect([existsSync(home), await jobs.reconcileOnStart()]).toEqual([
        false,
        { lost: 0, redelivered: 0, rehydrated: 0 },
      ]);
      await jobs.shutdown();
    },
  );

  it.each([undefined, '', '1', 'true', ' TRUE '])(
    'jobs 54, jobs 56: %j: the file is under the home folder, which is made',
    async (said) => {
      vi.stubEnv('FENCEPOST_JOB_STORE', said);
      const jobs = await getJobManager();
      await jobs.getResult(await start(jobs, () => 1));
      expect(existsSync(file)).toBe(true);
    },
  );

  it.each(['yes', 'off', '2', 'no store'])(
    '%j is neither yes nor no, and an error at the start',
    async (said) => {
      vi.stubEnv('FENCEPOST_JOB_STORE', said);
      await expect(getJobManager()).rejects.toMatchObject({
        code: 'JOBS_CONFIG',
        message: expect.stringContaining(JSON.stringify(said)),
      });
    },
  );

  it('jobs 55: a manager that was built by hand is durable whatever the environment says', async () => {
    vi.stubEnv('FENCEPOST_JOB_STORE', '0');
    const own = join(home, 'own', 'jobs.db');
    const store = createSqliteJobStore({ file: own });
    const jobs = createJobManager({ store });
    const id = await start(jobs, () => 'kept');
    await jobs.getResult(id);
    await jobs.shutdown();
    await store.close();
    const again = createSqliteJobStore({ file: own });
    expect(await again.get(id)).toMatchObject({ status: 'completed', result: { value: 'kept' } });
    await again.close();
  });

  it('jobs 56: the path follows the home variable, else the folder of the user', () => {
    expect(defaultJobsFile({ FENCEPOST_HOME: '/srv/app' }, '/home/ann')).toBe(
      '/srv/app/runs/background_jobs.db',
    );
    for (const said of [undefined, '', ' ']) {
      expect(defaultJobsFile({ FENCEPOST_HOME: said }, '/home/ann')).toBe(
        '/home/ann/.fencepost/runs/background_jobs.db',
      );
    }
    expect(storeIsOn({})).toBe(true);
  });
});

describe('the manager of the process', () => {
  it('jobs 57: concurrent calls get one manager that has reconciled once', async () => {
    const before = createSqliteJobStore({ file });
    const dead = createJobManager({ store: before });
    const id = await start(dead, gate().work);
    await dead.shutdown({ wait: false });
    raw(file, `UPDATE job_instances SET ended = 1`);
    const ended: string[] = [];
    const options = { observe: ({ kind }: { kind: string }) => ended.push(kind) };
    const all = await Promise.all([getJobManager(options), getJobManager(options), getJobManager()]);
    expect(new Set(all).size).toBe(1);
    expect(ended).toEqual(['ended']);
    expect(await all[0]?.getStatus(id)).toBe('lost');
    await before.close();
  });

  it('a handler that comes later is given what is owed', async () => {
    const before = createSqliteJobStore({ file });
    const earlier = createJobManager({ store: before });
    const id = await start(earlier, () => 'r', { origin: ORIGIN });
    await earlier.getResult(id);
    await earlier.shutdown();
    await before.close();
    const jobs = await getJobManager();
    expect((await jobs.getJobInfo(id)).delivered).toBe(false);
    const { got, deliver } = receiver();
    expect(await getJobManager({ deliver })).toBe(jobs);
    expect([got, (await jobs.getJobInfo(id)).delivered]).toEqual([[`${id} origin 1`], true]);
    const next = await start(jobs, () => 'r', { origin: ORIGIN });
    await vi.waitFor(async () => expect((await jobs.getJobInfo(next)).delivered).toBe(true));
  });

  it('after a shutdown the next call makes a new one; a start that failed is tried again', async () => {
    const first = await getJobManager();
    await first.shutdown();
    const second = await getJobManager();
    expect(second).not.toBe(first);
    await second.shutdown();
    writeFileSync(
      file,
      'something else entirely, and long enough to have been a database header of SQLite '.repeat(3),
    );
    await expect(getJobManager()).rejects.toMatchObject({ code: 'STORE_CORRUPT' });
    rmSync(file);
    expect((await getJobManager()).activeJobs).toBe(0);
  });
});
