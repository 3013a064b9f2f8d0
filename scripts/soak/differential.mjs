/** The sweep against the exhaustive oracle on a million random histories, in rounds of other seeds. */
import { spawnSync } from 'node:child_process';
import { Memory } from './memory.mjs';

/** RUNS of test/unit/checker/differential.test.ts, all of its properties together. */
const A_ROUND = 102_300;
const ROUNDS = Math.ceil(1_000_000 / A_ROUND);

export function differential() {
  const memory = new Memory('differential');
  while (memory.done.length < ROUNDS) {
    const round = memory.done.length + 1;
    const args = ['run', '--project', 'unit', 'test/unit/checker/differential.test.ts'];
    const { status, stdout } = spawnSync('node_modules/.bin/vitest', args, {
      encoding: 'utf8',
      env: { ...process.env, FENCEPOST_SEED: String(round) },
      maxBuffer: 1 << 28,
    });
    if (status !== 0) console.log(stdout);
    memory.add({ round, histories: A_ROUND, agreed: status === 0 });
    console.log(
      `  round ${round} of ${ROUNDS}  ${status === 0 ? 'agreed' : 'DISAGREED'}  ${round * A_ROUND} histories so far`,
    );
  }
  const bad = memory.done.filter((one) => !one.agreed).length;
  console.log(`  ${memory.done.length * A_ROUND} histories, ${bad} rounds with a disagreement`);
  return bad;
}
