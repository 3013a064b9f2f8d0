/** `blackboard jobs`: what it shows and does, exit codes, JSON. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createJobManager } from '../../../src/jobs/manager.ts';
import type { JobStore } from '../../../src/jobs/store.ts';
import type { JobManager } from '../../../src/jobs/types.ts';
import { createSqliteJobStore } from '../../../src/stores/sqlite/jobs/store.ts';
import { createFakeClock, type FakeClock } from '../../support/fake-clock.ts';
import { gate, start } from '../jobs/jobs.ts';
import { blackboard, jsonLines } from './command.ts';

let folder: string;
let file: string;
let clock: FakeClock;
let store: JobStore;
let manager: JobManager;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-jobs-'));
  file = join(folder, 'jobs.db');
  clock = createFakeClock({ wallMs: Date.UTC(2026, 11, 1) });
  store = createSqliteJobStore({ file, clock });
  manager = createJobManager({ store, clock });
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
const jobs = (verb: string, ...args: string[]) => blackboard(['jobs', verb, file, ...args], { clock });

/** One job of each kind that matters; its process shuts down without waiting for the one that runs. */
async function work(): Promise<void> {
  await start(manager, () => ({ pages: 3 }), { id: 'report-1', origin: { chat: 'C1' } });
  await start(manager, () => Promise.reject(new Error('no \u001b[2Jaccess')), { id: 'report-2' });
  await manager.getResult('report-2').catch(() => {});
  clock.advance(5);
  await start(manager, gate().work, { id: 'other' });
  await clock.advanceAsync(0);
  await manager.shutdown({ wait: false });
}

describe('jobs', () => {
  it('list shows jobs of all processes, oldest first', async () => {
    await work();
    expect(await jobs('list')).toEqual({
      code: 0,
      stdout: [
        '  job        status      created                ran   told',
        '  report-1   completed   2026-12-01 00:00:00   0 ms   owed',
        '  report-2   ✘ failed    2026-12-01 00:00:00   0 ms   -',
        '  other      running     2026-12-01 00:00:00      -   -',
        '',
      ].join('\n'),
      stderr: '\n  3 jobs; times in UTC\n',
    });
  });

  it('list takes one state, and says when there is none', async () => {
    await work();
    expect((await jobs('list', '--status', 'failed')).stdout).toContain('report-2');
    expect((await jobs('list', '--status', 'failed')).stdout).not.toContain('report-1');
    expect(await jobs('list', '--status', 'cancelled')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No such job.\n',
    });
    expect(jsonLines((await jobs('list', '--json')).stdout)).toMatchObject([
      { jobId: 'report-1', status: 'completed', result: { pages: 3 }, delivered: false },
      { jobId: 'report-2', status: 'failed' },
      { jobId: 'other', status: 'running' },
    ]);
    expect((await jobs('list', '--status', 'gone')).code).toBe(64);
  });

  it('show takes an id, or how the id of one job begins', async () => {
    await work();
    const { code, stdout } = await jobs('show', 'report-1');
    expect([code, stdout.split('\n')]).toMatchObject([
      0,
      expect.arrayContaining([
        'job        report-1',
        'status     completed',
        'created    2026-12-01T00:00:00.000Z',
        'result     {"pages":3}',
        'origin     {"chat":"C1"}',
        'delivery   origin: owed, 0 attempts',
      ]),
    ]);
    expect((await jobs('show', 'oth')).stdout).toContain('status     running');
    expect(await jobs('show', 'report')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('2 that begin so'),
    });
    expect(await jobs('show', 'x')).toMatchObject({ code: 1, stderr: expect.stringContaining('found none') });
    expect(jsonLines((await jobs('show', 'oth', '--json')).stdout)).toMatchObject([{ jobId: 'other' }]);
  });

  it('reconcile marks what is lost, and leaves what is owed', async () => {
    await work();
    expect((await jobs('reconcile')).stdout).toBe('1 job marked as lost, 1 result still owed.\n');
    expect((await jobs('reconcile', '--json')).stdout).toBe('{"lost":0,"owed":1}\n');
    expect((await jobs('list', '--status', 'lost')).stdout).toContain('other');
  });

  it('reconcile leaves live processes alone, and passes over what cannot be read', async () => {
    await start(manager, gate().work);
    await clock.advanceAsync(0);
    expect((await jobs('reconcile')).stdout).toBe('0 jobs marked as lost, 0 results still owed.\n');
    await manager.shutdown({ wait: false });
  });

  it('prune removes what is old and owes nothing', async () => {
    await work();
    clock.advance(3_600_000);
    expect((await jobs('prune', '--older-than', '2h')).stdout).toBe('0 jobs removed.\n');
    expect((await jobs('prune', '--older-than', '59m', '--json')).stdout).toBe('{"pruned":1}\n');
    expect(jsonLines((await jobs('list', '--json')).stdout)).toMatchObject([
      { jobId: 'report-1' },
      { jobId: 'other' },
    ]);
    for (const age of ['7', 'd', '-1d', '1w', '']) {
      expect([age, (await jobs('prune', '--older-than', age)).code]).toEqual([age, 64]);
    }
    expect((await jobs('prune')).code).toBe(64);
  });

  it('prune --keep-lost keeps lost jobs of an origin that was not told', async () => {
    await start(manager, gate().work, { id: 'a', origin: { chat: 'C1' } });
    await clock.advanceAsync(0);
    await manager.shutdown({ wait: false });
    await jobs('reconcile');
    clock.advance(2000);
    expect((await jobs('prune', '--older-than', '1s', '--keep-lost')).stdout).toBe('0 jobs removed.\n');
    expect((await jobs('prune', '--older-than', '1s')).stdout).toBe('1 job removed.\n');
  });

  it('a file that is none is refused and left alone', async () => {
    expect(await blackboard(['jobs', 'list', join(folder, 'none.db')])).toMatchObject({
      code: 66,
      stderr: expect.stringContaining('a file of background jobs'),
    });
    writeFileSync(join(folder, 'empty.db'), '');
    expect((await blackboard(['jobs', 'list', join(folder, 'empty.db')])).code).toBe(67);
    const made = await blackboard(['plan', 'add', join(folder, 'board.db'), 'a', '--new', 'r']);
    expect(made.code).toBe(0);
    expect((await blackboard(['jobs', 'list', join(folder, 'board.db')])).code).toBe(67);
    expect((await blackboard(['claims', file])).code).toBe(67);
  });

  it('every command shows an example', async () => {
    for (const verb of ['list', 'show', 'reconcile', 'prune']) {
      const { stdout, code } = await blackboard(['jobs', verb, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Example:\n {2}\$ blackboard jobs /);
    }
    expect((await blackboard(['jobs', '--help'])).stdout).toContain(
      '$ blackboard jobs prune jobs.db --older-than 7d',
    );
  });

  it('texts of jobs cannot move the cursor', async () => {
    await work();
    for (const args of [['list'], ['show', 'report-2'], ['list', '--json'], ['show', '\u001b[2J']]) {
      const { stdout, stderr } = await jobs(args[0] ?? '', ...args.slice(1));
      expect(stdout + stderr).not.toContain('\u001b');
    }
  });
});
