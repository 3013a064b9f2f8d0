/** `fencepost mutants` with ten seeds: what is caught, and how long it takes until the first violation. */
import { fencepost } from './fencepost.mjs';
import { Memory, median } from './memory.mjs';

/** Those whose time to the first violation is promised in the docs, and the promise (ms, median). */
const PROMISED = ['M01', 'M02', 'M03', 'M07', 'M09', 'M11', 'M12'];
const PROMISE_MS = 3_000;

const SEEDS = Array.from({ length: 10 }, (_, index) => 100 + index * 10);

/** All of them: how often each is caught. Answers how many were missed at least once. */
export const mutants = () => study('mutants', []);

/** Only the promised ones. Answers how many promises were not kept. */
export function detection() {
  return study('detection', ['--only', PROMISED.join(',')]);
}

function study(name, flags) {
  const memory = new Memory(name);
  for (const seed of SEEDS) {
    if (memory.has({ seed })) continue;
    const { answer } = fencepost('mutants', '--seed', seed, '--json', ...flags);
    const found = answer.mutants
      .filter(({ fate }) => fate !== 'limit')
      .map(({ id, caught, by, afterMs, tookMs }) => ({ id, caught, by, afterMs, tookMs }));
    memory.add({ seed, mutants: found });
    const told = found.map(
      ({ id, caught, afterMs }) => `${id} ${caught ? `${Math.round(afterMs)} ms` : 'MISSED'}`,
    );
    console.log(`  seed ${seed}  ${told.join('  ')}`);
  }
  let bad = 0;
  for (const { id } of memory.done[0].mutants) {
    const all = memory.done.map((one) => one.mutants.find((mutant) => mutant.id === id));
    const caught = all.filter((mutant) => mutant.caught);
    const middle = median(caught.map(({ afterMs }) => Math.max(0, afterMs)));
    const isLate = PROMISED.includes(id) && !(middle <= PROMISE_MS);
    if (caught.length < all.length || isLate) bad++;
    console.log(
      `  ${id}  caught ${caught.length} of ${all.length}  median ${Math.round(middle)} ms${isLate ? `, more than ${PROMISE_MS}` : ''}`,
    );
  }
  return bad;
}
