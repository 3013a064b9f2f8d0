/** The compiled `blackboard` command beside running workers: a live file, a pipe, a signal. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';
import { endChildren, startChild } from '../support/run-child.ts';

const MAIN = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

/** Without what the terminal of the tests says about colours. */
const ENV = { ...process.env };
delete ENV.NO_COLOR;
delete ENV.FORCE_COLOR;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-blackboard-'));
  file = join(folder, 'board.db');
});
afterEach(async () => {
  await endChildren();
  rmSync(folder, { recursive: true, force: true });
});

/** Two workers on a board of their own, until the test ends. */
async function workers(items = 20_000): Promise<void> {
  const module = new URL('./board-child.mjs', import.meta.url);
  for (const label of ['w1', 'worker-2']) {
    const child = await startChild(module);
    await child.ask({ job: 'work', file, label, path: join(folder, label), items, leaseMs: 30 });
  }
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command; `during` may speak to it while it runs. */
function blackboard(
  args: readonly string[],
  options: { env?: Record<string, string>; during?: (child: ReturnType<typeof spawn>) => void } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args], { env: { ...ENV, ...options.env } });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  options.during?.(child);
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
}

describe('beside running workers', () => {
  it('watch shows claims and completes as they happen, and ends with Ctrl-C', async () => {
    await workers();
    const { code, stdout } = await blackboard(['watch', file, '--json', '--every', '20'], {
      during: (child) => void sleep(1500).then(() => child.kill('SIGINT')),
    });
    expect(code).toBe(130);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number; kind: string });
    expect(new Set(events.map(({ kind }) => kind))).toEqual(new Set(['claimed', 'completed']));
    // No event is left out, none comes twice.
    const first = events[0]?.id ?? 0;
    expect(events.map(({ id }) => id)).toEqual(events.map((_, i) => first + i));
  });

  it('claims, dump, stats and release read and write the live file', async () => {
    await workers();
    const claims = await blackboard(['claims', file, '--json']);
    expect(claims.code).toBe(0);
    const stats = await blackboard(['stats', file, '--json']);
    expect(JSON.parse(stats.stdout)).toMatchObject({
      claims: expect.any(Number),
      reclaims: expect.any(Number),
    });
    expect((await blackboard(['dump', file, '-n', 'claims/*', '--json'])).code).toBe(0);
    expect((await blackboard(['release', file, 'claims/none', '--force'])).code).toBe(1);
  });

  it('afterwards each count of stats is what the workers were told', async () => {
    await workers(40);
    await sleep(2500);
    await endChildren();
    const { stdout } = await blackboard(['stats', file, '--json']);
    const { counters } = JSON.parse(stdout) as { counters: Record<string, number> };
    const told = ['w1', 'worker-2'].flatMap((label) =>
      readFileSync(join(folder, label), 'utf8')
        .split('\n')
        .filter((line) => line !== ''),
    );
    // They were killed: one call of each may have been accepted without anybody hearing of it.
    expect(counters.completes).toBeGreaterThanOrEqual(told.length);
    expect(counters.completes).toBeLessThanOrEqual(told.length + 2);
  });
});

describe('in a pipe', () => {
  it('has no colour unless it is asked for, and the mark of a lapsed lease stays', async () => {
    const store = await createSqliteStore({ file, items: 'on-demand' });
    await store.work.claim('claims/a', { owner: 'w1', leaseMs: 1, request: 'r' });
    await store.close();
    await sleep(2);
    const none = await blackboard(['claims', file], { env: { NO_COLOR: '1' } });
    expect(none.stdout).toMatch(/claims\/a +w1 +1 +✘ expired .* ago\n$/);
    expect(none.stdout).not.toContain('\u001b');
    const asked = await blackboard(['claims', file], { env: { FORCE_COLOR: '1' } });
    expect(asked.stdout).toContain('\u001b[31m✘ expired');
  });

  it('a reader that has seen enough is no error', async () => {
    await workers();
    const { code, stderr } = await blackboard(['watch', file, '--since', '0'], {
      during: (child) => child.stdout?.once('data', () => child.stdout?.destroy()),
    });
    expect([code, stderr]).toEqual([0, '']);
  });
});

it('a file that is not there is exit 66, with what to do', async () => {
  const { code, stdout, stderr } = await blackboard(['stats', join(folder, 'none.db')]);
  expect([code, stdout]).toEqual([66, '']);
  expect(stderr).toContain('no such file');
});
