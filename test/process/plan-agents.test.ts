/** Agents that are real processes: two MCP servers on one file, and the always-on worker of the examples; both are killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlan } from '../../src/plan/plan.ts';
import { createSqliteStore } from '../../src/stores/sqlite/store.ts';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

let folder: string;
let file: string;
const clients: Client[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-agents-'));
  file = join(folder, 'board.db');
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  rmSync(folder, { recursive: true, force: true });
});

async function agent(label: string, leaseMs: number) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fromRoot('dist/src/cli/main.js'), 'mcp', file, '--as', label, '--lease-ms', String(leaseMs)],
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: label, version: '1' });
  clients.push(client);
  /** Whatever the server writes to stdout that is no message of the protocol. */
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  const call = async (name: string, args: Record<string, unknown> = {}): Promise<string> => {
    const { content } = (await client.callTool({ name, arguments: args })) as {
      content: readonly { readonly text: string }[];
    };
    return content.map(({ text }) => text).join('\n');
  };
  return { client, call, pid: transport.pid ?? 0, errors, stderr: () => stderr };
}

it('two agents claim different tasks; one is killed, and the other takes over its task', async () => {
  const scout = await agent('scout', 2000);
  const writer = await agent('writer', 60_000);
  expect(await scout.call('set_plan', { reasoning: 'ship', tasks: ['measure', 'write'] })).toContain(
    '0. measure',
  );
  expect(await scout.call('claim_next')).toContain('claimed task 0: measure');
  expect(await writer.call('claim_next')).toContain('claimed task 1: write');
  expect(await writer.call('mark_done', { index: 1, summary: 'written' })).toContain('→ written');
  expect(scout.errors).toEqual([]);
  const gone = new Promise<void>((resolve) => {
    scout.client.onclose = resolve;
  });
  process.kill(scout.pid, 'SIGKILL');
  await gone;
  let answer = '';
  for (
    const until = Date.now() + 60_000;
    !answer.includes('claimed') && Date.now() < until;
    await sleep(100)
  ) {
    answer = await writer.call('claim_next');
  }
  expect(answer).toMatch(/claimed task 0: measure[\s\S]*Attempt 2\./);
  expect(await writer.call('mark_done', { index: 0, summary: 'measured' })).toContain('plan complete');
  expect([writer.errors, writer.stderr()]).toEqual([[], '']);
}, 120_000);

it('the always-on worker, killed again and again, finishes the plan', async () => {
  const look = async () => {
    const store = await createSqliteStore({ file });
    try {
      return await createPlan({ store, planId: 'word-count' }).snapshot();
    } finally {
      await store.close();
    }
  };
  /** One wake-up, killed after so long unless it has ended by then. Answers its exit code, or null. */
  const wake = async (killAfterMs: number | undefined) => {
    const child = spawn(process.execPath, [fromRoot('examples/always-on-worker.mjs'), file, '300', '100'], {
      stdio: 'ignore',
    });
    const timer =
      killAfterMs === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    const [code] = (await once(child, 'exit')) as [number | null];
    clearTimeout(timer);
    return code;
  };
  // Kills that hit a claim leave a lapsed one behind: goes on until one did, whatever the speed of the machine.
  for (let round = 0; round < 12; round += 1) {
    await wake(100 + ((round * 97) % 500));
    if ((await look())?.tasks.some(({ status }) => status === 'claimed')) break;
  }
  let code: number | null = 0;
  for (let round = 0; round < 60 && code !== 10; round += 1) {
    code = await wake(undefined);
    await sleep(50);
  }
  expect(code).toBe(10);
  const found = await look();
  expect(found).toMatchObject({ complete: true, epoch: 1 });
  expect(found?.tasks.map(({ status }) => status)).toEqual(['done', 'done', 'done', 'done']);
  for (const { text, result } of found?.tasks ?? []) expect(result).toContain(`${text}: ok, by always-on-`);
}, 240_000);
