/** Jobs in worker threads, and telling processes apart. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobManager } from '../../../src/jobs/manager.ts';
import { systemProcesses } from '../../../src/jobs/process-probe.ts';
import { createJobThreads, type JobThreads } from '../../../src/jobs/threads.ts';
import { start } from './jobs.ts';

describe('jobs in threads', () => {
  let folder: string;
  let threads: JobThreads;
  let module: URL;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fencepost-threads-'));
    const file = join(folder, 'work.mjs');
    writeFileSync(
      file,
      `export default (data) => ({ got: data });
       export const fail = () => { throw new RangeError('no room'); };
       export const forever = () => { for (;;); };`,
    );
    module = pathToFileURL(file);
    threads = createJobThreads({ maxThreads: 2 });
  });
  afterEach(async () => {
    await threads.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('a job calls an export with its data, and has its result or its error', async () => {
    const jobs = createJobManager();
    expect(await jobs.getResult(await start(jobs, threads.job(module, { a: [1] })))).toEqual({
      got: { a: [1] },
    });
    await expect(jobs.getResult(await start(jobs, threads.job(module, null, 'fail')))).rejects.toMatchObject({
      code: 'JOB_FAILED',
      message: expect.stringContaining('no room'),
    });
  });

  it('a time limit ends a thread that never pauses, while this one goes on', async () => {
    const jobs = createJobManager();
    const id = await start(jobs, threads.job(module, null, 'forever'), { timeLimitMs: 300 });
    await expect(jobs.getResult(id)).rejects.toMatchObject({ cause: { code: 'JOB_TIME_LIMIT' } });
    await jobs.shutdown();
  });

  it('no threads are no option', () => {
    expect(() => createJobThreads({ maxThreads: 0 })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    );
  });
});

describe.skipIf(!existsSync('/proc/self/stat'))('processes', () => {
  const self = systemProcesses.self();
  const like = (other: object) => {
    if (self === undefined) throw new Error('Expected to know this process.');
    return systemProcesses.stateOf({ ...self, ...other });
  };

  it('this one is there; a pid that is used anew, or not at all, and one of an earlier boot are gone', () => {
    expect(self?.pid).toBe(process.pid);
    expect(like({})).toBe('there');
    expect(like({ startTicks: '1' })).toBe('gone');
    expect(like({ pid: 2 ** 22 + 1 })).toBe('gone');
    expect(like({ bootId: 'another' })).toBe('gone');
  });

  it('of a process in another container nothing is known', () => {
    expect(like({ pidNamespace: 'pid:[1]', startTicks: '1', bootId: 'another' })).toBe('unknown');
  });
});
