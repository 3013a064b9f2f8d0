/** What an earlier run left behind is ended by the next start, stopped processes included, and nobody else is (F8, F23). */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { sweepLeftovers } from '../../harness/process/ledger.ts';
import { isAlive, processFacts } from '../../harness/process/proc.ts';
import { scratch, until } from '../support/cli.ts';

let out: ReturnType<typeof scratch>;
const children: ChildProcess[] = [];
beforeEach(() => {
  out = scratch();
  mkdirSync(join(out.path, '.running'));
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  out.remove();
});

function sleeper(): { pid: number; startTime: string } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  children.push(child);
  return { pid: child.pid!, startTime: processFacts(child.pid!)!.startTime };
}

function ledger(coordinator: object, ...listed: object[]): string {
  const file = join(out.path, '.running', 'run.ndjson');
  writeFileSync(file, [coordinator, ...listed].map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  return file;
}

const GONE = { pid: 2 ** 22 - 1, startTime: '1', what: 'coordinator' };

it('ends a stopped leftover of a run whose coordinator is gone, and removes the ledger', async () => {
  const left = sleeper();
  process.kill(left.pid, 'SIGSTOP');
  await until('it is stopped', () => processFacts(left.pid)?.state === 'stopped');
  const file = ledger(GONE, { ...left, what: 'worker' });
  expect(sweepLeftovers(out.path)).toBe(1);
  await until('it is gone', () => !isAlive(left.pid, left.startTime));
  expect(existsSync(file)).toBe(false);
});

it('leaves a process alone that only has the pid of a listed one (F8, F17)', () => {
  const other = sleeper();
  ledger(GONE, { pid: other.pid, startTime: '1', what: 'worker' });
  expect(sweepLeftovers(out.path)).toBe(0);
  expect(isAlive(other.pid, other.startTime)).toBe(true);
});

it('leaves a run alone whose coordinator lives', () => {
  const worker = sleeper();
  const self = { pid: process.pid, startTime: processFacts(process.pid)!.startTime, what: 'coordinator' };
  const file = ledger(self, { ...worker, what: 'worker' });
  expect(sweepLeftovers(out.path)).toBe(0);
  expect(isAlive(worker.pid, worker.startTime)).toBe(true);
  expect(existsSync(file)).toBe(true);
});
