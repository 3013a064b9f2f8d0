/** The compiled command, as its user calls it. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { FOLDER } from './memory.mjs';

/** Runs a command that prints JSON. Answers its exit code and what it printed; `undefined` when it was refused. */
export function fencepost(...args) {
  const words = ['dist/harness/cli/main.js', ...args, '--out', join(FOLDER, 'runs')];
  const { stdout, stderr, status } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 64) process.stdout.write(stderr);
  return { exit: status, answer: status === 64 ? undefined : JSON.parse(stdout) };
}

/** Worker processes of this package that are alive now, whoever started them. */
export function survivors() {
  const { stdout } = spawnSync('pgrep', ['-fc', 'dist/harness/worker/entry.js'], { encoding: 'utf8' });
  return Number(stdout.trim());
}
