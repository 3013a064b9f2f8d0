/** The whole kill matrix with three seeds: every combination hit, nothing broken. */
import { fencepost } from './fencepost.mjs';
import { Memory } from './memory.mjs';

export function crashPoints() {
  const memory = new Memory('crash-points');
  for (const seed of [1, 2, 3]) {
    if (memory.has({ seed })) continue;
    const { answer } = fencepost('crash-points', '--seed', seed, '--json', '--max', '300s');
    const { verdict, killMatrix } = answer;
    const of = (name) => killMatrix.filter((cell) => cell.verdict === name).length;
    const cells = killMatrix.length;
    const one = { seed, verdict, cells, held: of('held'), broken: of('broken'), missed: of('not hit') };
    memory.add(one);
    console.log(
      `  seed ${seed}  ${verdict}  ${one.held} of ${cells} held, ${one.broken} broken, ${one.missed} not hit`,
    );
  }
  return memory.done.filter((one) => one.verdict !== 'valid').length;
}
