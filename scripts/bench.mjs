#!/usr/bin/env node
/**
 * Every benchmark beside its floor, measured in the same run: only the ratios mean anything on a shared machine. Exits 1
 * when a goal is missed. Run nothing else meanwhile.
 *
 * Try it: `npm run bench`, or some of them: `npm run bench -- recorder check`.
 */
const ALL = ['store', 'contention', 'feed', 'recorder', 'check'];
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !ALL.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}. There are: ${ALL.join(', ')}.`);
  process.exit(64);
}

const number = (value) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));
let missed = 0;
for (const name of asked.length > 0 ? asked : ALL) {
  const { run } = await import(`../bench/${name}.mjs`);
  for (const { name: what, ours, floor, ratio, goal, unit } of await run()) {
    const met = ratio <= goal;
    if (!met) missed += 1;
    console.log(`${met ? 'ok  ' : 'MISS'}  ${what}`);
    console.log(
      `      ours ${number(ours)} ${unit}   floor ${number(floor)} ${unit}   ratio ${ratio.toFixed(2)}   goal at most ${goal}`,
    );
  }
}
process.exitCode = missed > 0 ? 1 : 0;
