/** However a run ends, nothing of it stays alive, and what was recorded can still be judged (A24, A26, F23). */
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Command, resultsIn, run, scratch, until } from '../support/cli.ts';

let out: ReturnType<typeof scratch>;
let command: Command;
beforeEach(() => {
  out = scratch();
  command = new Command([
    'run',
    'scenarios/kill-mid-lease.yaml',
    '--out',
    out.path,
    '--duration',
    '60s',
    '--seed',
    '5',
  ]);
});
afterEach(() => {
  command.endAll();
  out.remove();
});

const runDirectory = (): string => {
  const parent = join(out.path, 'kill-mid-lease');
  return join(parent, readdirSync(parent)[0]!);
};

const inMain = (): Promise<void> => until('main has begun', () => /main/.test(command.stderr), 60_000);
const nothingAlive = (): Promise<void> =>
  until('nothing is alive', () => command.alive().length === 0, 5_000);

/** One that has a history file open: neither the guard nor a spare. */
const isWorker = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/fd`).some((fd) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${fd}`).endsWith('.ndjson');
    } catch {
      return false;
    }
  });

describe('a run of a minute', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('on the first %s heals, checks and writes a partial report', async (signal, expected) => {
    await inMain();
    command.child.kill(signal);
    const { code, stderr } = await command.finished;
    expect(code).toBe(expected);
    await nothingAlive();
    const results = resultsIn(out.path);
    expect(results.interrupted).toBe(true);
    expect(results.verdict).toBe('inconclusive');
    expect(results.numbers.completes).toBeGreaterThan(0);
    expect(stderr).toMatch(/interrupted/i);
  });

  it('on the second SIGINT is gone at once', async () => {
    await inMain();
    command.child.kill('SIGINT');
    command.child.kill('SIGINT');
    const { code } = await command.finished;
    expect(code).toBe(130);
    await nothingAlive();
  });

  it('whose worker is killed by somebody else is inconclusive, and says so (F10)', async () => {
    await inMain();
    const victim = command.alive().find(({ pid }) => pid !== command.child.pid && isWorker(pid));
    process.kill(victim!.pid, 'SIGKILL');
    const { code } = await command.finished;
    expect(code).toBe(2);
    const results = resultsIn(out.path);
    expect(results.reasons.map((reason) => reason.code)).toContain('FOREIGN_KILL');
    await nothingAlive();
  });

  it('whose coordinator is killed while a worker is stopped leaves nothing alive and an incomplete history', async () => {
    await inMain();
    await until('a worker is stopped', () => command.alive().some(({ state }) => state === 'T'));
    command.child.kill('SIGKILL');
    await command.finished;
    await nothingAlive();
    // The link was made when the run began.
    expect(realpathSync(join(out.path, 'latest'))).toBe(realpathSync(runDirectory()));
    const { code, stderr } = await run(['check', join(out.path, 'latest')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/incomplete|coordinator/i);
  });
});

it('a run that is interrupted while the store blocks its probe ends at once, with nothing made', async () => {
  const blocked = new Command([
    'run',
    'scenarios/kill-mid-lease.yaml',
    '--out',
    join(out.path, 'blocked'),
    '--store',
    './test/fixtures/blocking-store.mjs',
  ]);
  await until('it is told what is waited for', () =>
    /Waiting for the store `\.\/test\/fixtures\/blocking-store\.mjs`: its\s+open\(\)/.test(blocked.stderr),
  );
  blocked.child.kill('SIGINT');
  const { code, stderr } = await blocked.finished;
  expect(code).toBe(130);
  expect(stderr).toMatch(/before anything had started/);
  await until('nothing is alive', () => blocked.alive().length === 0, 5_000);
  expect(existsSync(join(out.path, 'blocked'))).toBe(false);
});

it('a run whose disk is full still tells what it saw, and is not valid', async () => {
  const full = new Command(
    [
      'run',
      'scenarios/kill-mid-lease.yaml',
      '--out',
      out.path,
      '--duration',
      '60s',
      '--set',
      'phases.drain.max=2s',
    ],
    {},
    { fileKib: 600 },
  );
  const { code, stderr } = await full.finished;
  expect(code).toBe(2);
  expect(stderr).toContain('INCONCLUSIVE');
  expect(stderr).toMatch(/could\s+not\s+write\s+its\s+history|could\s+not\s+be\s+written/);
  expect(stderr).not.toMatch(/an error of its own/);
  await until('nothing is alive', () => full.alive().length === 0, 5_000);
});
