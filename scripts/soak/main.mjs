#!/usr/bin/env node
/**
 * Long studies, for statistics: not part of CI. Each remembers what it has done in `reports/soak/STUDY.ndjson` and goes on from
 * there when it is started again; delete the file to start anew.
 *
 * Try it: `npm run soak -- seeds`.
 */
import { crashPoints } from './crash-points.mjs';
import { differential } from './differential.mjs';
import { innocents, innocentsLive } from './innocents.mjs';
import { jobs } from './jobs.mjs';
import { detection, mutants } from './mutants.mjs';
import { scale } from './scale.mjs';
import { busy, seeds } from './seeds.mjs';
import { steering } from './steering.mjs';

const STUDIES = {
  seeds: [seeds, 'the default scenario with ten seeds: ten times valid'],
  busy: [busy, 'the same with fifteen other seeds, every core kept busy by something else'],
  detection: [detection, 'seven mutants with ten seeds: median time to the first violation'],
  mutants: [mutants, 'all mutants with ten seeds: how often each is caught, and when'],
  steering: [
    steering,
    'faults chosen by missing evidence against faults at random: time until all evidence is in',
  ],
  'crash-points': [
    crashPoints,
    'the whole kill matrix with three seeds: every combination hit, nothing broken',
  ],
  innocents: [innocents, '1,000 histories of each innocent but odd store: none is accused'],
  'innocents-live': [
    innocentsLive,
    'the odd stores that can be run, three seeds of 8 s each: none is accused',
  ],
  jobs: [jobs, '20,000 background jobs in 4 processes that are killed all the time: every count adds up'],
  differential: [differential, 'a million random histories, the sweep against the exhaustive oracle'],
  scale: [
    scale,
    'checks of 10^5, 10^6 and 10^7 operations: time and memory grow with the history, not faster',
  ],
};

const asked = process.argv.slice(2);
if (asked.includes('--help') || asked.includes('-h')) {
  for (const [name, [, what]] of Object.entries(STUDIES)) console.log(`  ${name.padEnd(15)} ${what}`);
  process.exit(0);
}
const unknown = asked.filter((name) => !(name in STUDIES));
if (unknown.length > 0) {
  console.error(`Unknown study ${unknown.join(', ')}. There are: ${Object.keys(STUDIES).join(', ')}.`);
  process.exit(64);
}
let failed = 0;
for (const name of asked.length > 0 ? asked : Object.keys(STUDIES)) {
  console.log(`▸ ${name}`);
  failed += await STUDIES[name][0]();
}
process.exitCode = failed > 0 ? 1 : 0;
