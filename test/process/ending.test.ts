/** However a run ends, nothing of it stays alive, and what was recorded can still be judged (A24, A26, F23). */
import { existsSync, readdirSync, readlinkSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { Command, resultsIn, run, until } from '../support/cli.ts';
import { it as scratchTest } from '../support/scratch-test.ts';

/** A run of a minute, begun. Nothing of it outlives its test. */
const it = scratchTest.extend<{ command: Command }>({
  command: async ({ out }, use) => {
    const command = new Command([
      'run',
      'scenarios/kill-mid-lease.yaml',
      ...['--out', out, '--duration', '60s', '--seed', '5'],
    ]);
    await use(command);
    command.endAll();
  },
});

const runDirectory = (out: string): string => {
  const parent = join(out, 'kill-mid-lease');
  return join(parent, readdirSync(parent)[0]!);
};

const inMain = (command: Command): Promise<void> =>
  until('main has begun', () => /main/.test(command.stderr), 60_000);
const nothingAlive = (command: Command): Promise<void> =>
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

describe.concurrent('a run of a minute', () => {
  it.for([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    'on the first %s heals, checks and writes a partial report',
    async ([signal, expected], { command, out }) => {
      await inMain(command);
      command.child.kill(signal);
      const { code, stderr } = await command.finished;
      expect(code).toBe(expected);
      await nothingAlive(command);
      const results = resultsIn(out);
      expect(results.interrupted).toBe(true);
      expect(results.verdict).toBe('inconclusive');
      expect(results.numbers.completes).toBeGreaterThan(0);
      expect(stderr).toMatch(/interrupted/i);
    },
  );

  it('on the second SIGINT is gone at once', async ({ command }) => {
    await inMain(command);
    command.child.kill('SIGINT');
    command.child.kill('SIGINT');
    const { code } = await command.finished;
    expect(code).toBe(130);
    await nothingAlive(command);
  });

  it('whose worker is killed by somebody else is inconclusive, and says so (F10)', async ({
    command,
    out,
  }) => {
    await inMain(command);
    const victim = command.alive().find(({ pid }) => pid !== command.child.pid && isWorker(pid));
    process.kill(victim!.pid, 'SIGKILL');
    const { code } = await command.finished;
    expect(code).toBe(2);
    const results = resultsIn(out);
    expect(results.reasons.map((reason) => reason.code)).toContain('FOREIGN_KILL');
    await nothingAlive(command);
  });

  it('whose coordinator is killed while a worker is stopped leaves nothing alive and an incomplete history', async ({
    command,
    out,
  }) => {
    await inMain(command);
    await until('a worker is stopped', () => command.alive().some(({ state }) => state === 'T'));
    command.child.kill('SIGKILL');
    await command.finished;
    await nothingAlive(command);
    // The link was made when the run began.
    expect(realpathSync(join(out, 'latest'))).toBe(realpathSync(runDirectory(out)));
    const { code, stderr } = await run(['check', join(out, 'latest')]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/incomplete|coordinator/i);
  });
});

scratchTest.concurrent(
  'a run that is interrupted while the store blocks its probe ends at once, with nothing made',
  async ({ out }) => {
    const blocked = new Command([
      'run',
      'scenarios/kill-mid-lease.yaml',
      '--out',
      join(out, 'blocked'),
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
    expect(existsSync(join(out, 'blocked'))).toBe(false);
  },
);

scratchTest.concurrent(
  'a run whose disk is full still tells what it saw, and is not valid',
  async ({ out }) => {
    const full = new Command(
      [
        'run',
        'scenarios/kill-mid-lease.yaml',
        '--out',
        out,
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
  },
);
