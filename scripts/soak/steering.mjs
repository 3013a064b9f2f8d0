/**
 * Whether faults that are chosen by the evidence that is missing bring it sooner than faults chosen at random: how long main lasts
 * until all of it is in, with the same six seeds, as the ratio of two medians.
 */
import { fencepost } from './fencepost.mjs';
import { Memory, median } from './memory.mjs';

const SEEDS = [1, 2, 3, 4, 5, 6];
const SCENARIOS = ['kill-mid-lease', 'all-faults'];
const MAX_S = 120;

/** Answers how many runs were accused; a slower choice is a finding, not a failure. */
export function steering() {
  const memory = new Memory('steering');
  for (const seed of SEEDS)
    for (const scenario of SCENARIOS)
      for (const steered of [true, false]) {
        if (memory.has({ scenario, seed, steered })) continue;
        memory.add(measured(scenario, seed, steered));
      }
  for (const scenario of SCENARIOS) {
    const of = (steered) =>
      median(
        memory.done
          .filter((one) => one.scenario === scenario && one.steered === steered)
          .map(({ mainS }) => mainS),
      );
    const [chosen, random] = [of(true), of(false)];
    console.log(
      `  ${scenario}: all evidence after ${chosen} s chosen, ${random} s at random (medians of ${SEEDS.length}); ratio ${(chosen / random).toFixed(2)}`,
    );
  }
  return memory.done.filter(({ verdict }) => verdict !== 'valid' && verdict !== 'inconclusive').length;
}

/** A run that ends with the last piece of evidence; one that did not get it all counts as the longest. */
function measured(scenario, seed, steered) {
  const settings = ['phases.main.min=1s', `phases.main.max=${MAX_S}s`, `faults.steered=${steered}`];
  const sets = settings.flatMap((one) => ['--set', one]);
  const { answer } = fencepost('run', scenario, '--seed', seed, '--reporter', 'json', '--quiet', ...sets);
  const isAll = answer.obligations.every((part) => part.met || part.notTested !== undefined);
  const mainS = isAll ? Number((answer.numbers.mainMs / 1000).toFixed(1)) : MAX_S;
  console.log(`  ${scenario}  seed ${seed}  ${steered ? 'chosen' : 'random'}  ${mainS} s  ${answer.verdict}`);
  return { scenario, seed, steered, mainS, verdict: answer.verdict };
}
