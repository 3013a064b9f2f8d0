/** The default scenario, once a seed: every run is valid, with all its evidence, and leaves nothing alive. */
import { spawn } from 'node:child_process';
import { cpus } from 'node:os';
import { fencepost, survivors } from './fencepost.mjs';
import { Memory } from './memory.mjs';

/** Answers how many runs were not valid. */
export function seeds(study = 'seeds', numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) {
  const memory = new Memory(study);
  for (const seed of numbers) {
    if (memory.has({ seed })) continue;
    const { exit, answer } = fencepost(
      'run',
      'kill-mid-lease',
      '--seed',
      seed,
      '--reporter',
      'json',
      '--quiet',
    );
    const one = {
      seed,
      exit,
      verdict: answer?.verdict,
      mainS: Number((answer?.numbers.mainMs / 1000).toFixed(1)),
      met: answer?.obligations.filter((part) => part.met).length,
      of: answer?.obligations.length,
      reasons: answer?.reasons.map((reason) => reason.message),
      alive: survivors(),
    };
    memory.add(one);
    console.log(
      `  seed ${seed}  ${one.verdict}  main ${one.mainS} s  evidence ${one.met}/${one.of}  left alive ${one.alive}`,
    );
  }
  const bad = memory.done.filter((one) => one.verdict !== 'valid' || one.alive > 0);
  console.log(`  ${memory.done.length - bad.length} of ${memory.done.length} valid, nothing left alive`);
  return bad.length;
}

/** Fifteen other seeds, with every core kept busy by something else. */
export function busy() {
  const loads = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    return seeds(
      'busy',
      Array.from({ length: 15 }, (_, index) => 11 + index),
    );
  } finally {
    for (const load of loads) load.kill('SIGKILL');
  }
}
