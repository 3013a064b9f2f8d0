/** Odd and correct stores: none of them is ever accused. */
import { spawnSync } from 'node:child_process';
import { fencepost } from './fencepost.mjs';
import { Memory } from './memory.mjs';

/** 1,000 generated histories of each, in slices of 100. Answers how many slices held an accusation. */
export function innocents() {
  const memory = new Memory('innocents');
  for (let slice = 0; slice < 10; slice++) {
    if (memory.has({ slice })) continue;
    const env = { ...process.env, FENCEPOST_SOAK: '4', FENCEPOST_FIRST_SEED: String(1 + slice * 100) };
    const args = ['run', '--project', 'unit', 'test/unit/checker/odd-innocents.test.ts'];
    const { status } = spawnSync('node_modules/.bin/vitest', args, { stdio: 'inherit', env });
    memory.add({ slice, histories: 100, clean: status === 0 });
    console.log(
      `  histories ${slice * 100 + 1} to ${slice * 100 + 100} of each  ${status === 0 ? 'clean' : 'ACCUSED'}`,
    );
  }
  return memory.done.filter(({ clean }) => !clean).length;
}

/** Those that can be run, three seeds of 8 s each. Eight seconds may be too short for all evidence. */
export async function innocentsLive() {
  const { INNOCENTS } = await import('../../dist/scenarios/innocents/registry.js');
  const memory = new Memory('innocents-live');
  for (const { id, module, scenario = 'innocents/eight-seconds' } of INNOCENTS)
    for (const seed of [1, 2, 3]) {
      if (memory.has({ id, seed })) continue;
      const store = ['--store', `dist/scenarios/innocents/${module}.js`];
      const flags = ['--seed', seed, '--reporter', 'json', '--quiet'];
      const { answer } = fencepost('run', `scenarios/${scenario}.yaml`, ...store, ...flags);
      const broken = answer?.guarantees.filter(({ verdict }) => verdict === 'broken') ?? [];
      const one = {
        id,
        seed,
        verdict: answer?.verdict ?? 'refused',
        broken: broken.map(({ guarantee }) => guarantee),
        reason: answer?.reasons[0]?.message,
      };
      memory.add(one);
      console.log(`  ${id}  seed ${seed}  ${one.verdict}  ${one.broken.join(' ')}${one.reason ?? ''}`);
    }
  const bad = memory.done.filter(({ verdict }) => verdict !== 'valid' && verdict !== 'inconclusive');
  console.log(`  ${memory.done.length - bad.length} of ${memory.done.length} not accused`);
  return bad.length;
}
