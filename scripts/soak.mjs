#!/usr/bin/env node
/**
 * Long studies, for statistics: not part of CI. Each remembers what it has done in `reports/soak/STUDY.ndjson` and goes on from
 * there when it is started again; delete the file to start anew.
 *
 *   seeds          the default scenario with ten seeds: ten times valid
 *   busy           the same with three other seeds, both cores kept busy by something else
 *   mutants        `fencepost mutants` with ten seeds: median time to the first violation
 *   innocents      1,000 histories of each innocent but odd store: none is accused
 *   innocents-live the odd stores that can be run, three seeds of 8 s each: none is accused
 *   crash-points   the whole kill matrix with three seeds: every combination hit, nothing broken
 *   scale          checks of 10^5, 10^6 and 10^7 operations: time and memory grow with the history, not faster
 *   differential   1,000,000 random histories, the sweep against the exhaustive oracle, in rounds of other seeds
 *
 * Try it: `npm run soak -- seeds`.
 */
import { spawn, spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { scale } from './soak-scale.mjs';

const FOLDER = 'reports/soak';
const MAIN = 'dist/harness/cli/main.js';

const STUDIES = {
  'crash-points': crashPoints,
  seeds: () => runs('seeds', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
  busy: () => withBusyCores(() => runs('busy', [11, 12, 13])),
  mutants,
  innocents,
  'innocents-live': innocentsLive,
  differential,
  scale: () => scale(remembered('scale'), (one) => remember('scale', one)),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !(name in STUDIES));
if (unknown.length > 0) {
  console.error(`Unknown study ${unknown.join(', ')}. There are: ${Object.keys(STUDIES).join(', ')}.`);
  process.exit(64);
}
mkdirSync(FOLDER, { recursive: true });
let failed = 0;
for (const name of asked.length > 0 ? asked : Object.keys(STUDIES)) {
  console.log(`▸ ${name}`);
  failed += await STUDIES[name]();
}
process.exitCode = failed > 0 ? 1 : 0;

/** The default scenario, once a seed. Answers how many were not valid. */
function runs(study, seeds) {
  const done = remembered(study);
  for (const seed of seeds) {
    if (done.some((one) => one.seed === seed)) continue;
    const args = [
      'run',
      'kill-mid-lease',
      '--seed',
      String(seed),
      '--out',
      join(FOLDER, 'runs'),
      '--reporter',
      'json',
    ];
    const { stdout, status } = spawnSync(process.execPath, [MAIN, ...args], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    const results = status === 64 ? undefined : JSON.parse(stdout);
    const one = {
      seed,
      exit: status,
      verdict: results?.verdict,
      mainS: Number((results?.numbers.mainMs / 1000).toFixed(1)),
      met: results?.obligations.filter((part) => part.met).length,
      of: results?.obligations.length,
      reasons: results?.reasons.map((reason) => reason.message),
      alive: survivors(),
    };
    remember(study, one);
    done.push(one);
    console.log(
      `  seed ${seed}  ${one.verdict}  main ${one.mainS} s  evidence ${one.met}/${one.of}  left alive ${one.alive}`,
    );
  }
  const bad = done.filter((one) => one.verdict !== 'valid' || one.alive > 0);
  console.log(`  ${done.length - bad.length} of ${done.length} valid, nothing left alive`);
  return bad.length;
}

/** Worker processes of this package that are alive now, whoever started them. */
function survivors() {
  const { stdout } = spawnSync('pgrep', ['-fc', 'dist/harness/worker/entry.js'], { encoding: 'utf8' });
  return Number(stdout.trim());
}

async function withBusyCores(body) {
  const loads = cpus().map(() => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    return await body();
  } finally {
    for (const load of loads) load.kill('SIGKILL');
  }
}

function mutants() {
  const done = remembered('mutants');
  for (let seed = 100; seed < 200; seed += 10) {
    if (done.some((one) => one.seed === seed)) continue;
    const args = ['mutants', '--seed', String(seed), '--json', '--out', join(FOLDER, 'mutants')];
    const { stdout } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const one = {
      seed,
      mutants: JSON.parse(stdout)
        .mutants.filter(({ fate }) => fate !== 'limit')
        .map(({ id, caught, by, afterMs, tookMs }) => ({ id, caught, by, afterMs, tookMs })),
    };
    remember('mutants', one);
    done.push(one);
    console.log(
      `  seed ${seed}  ${one.mutants.map(({ id, caught, afterMs }) => `${id} ${caught ? `${Math.round(afterMs)} ms` : 'MISSED'}`).join('  ')}`,
    );
  }
  const ids = done[0].mutants.map(({ id }) => id);
  for (const id of ids) {
    const times = done
      .map((one) => one.mutants.find((mutant) => mutant.id === id))
      .filter((mutant) => mutant.caught);
    const sorted = times.map(({ afterMs }) => afterMs).sort((a, b) => a - b);
    console.log(
      `  ${id}  caught ${times.length} of ${done.length}  median ${Math.round(sorted[(sorted.length - 1) >> 1])} ms`,
    );
  }
  return done.filter((one) => one.mutants.some(({ caught }) => !caught)).length;
}

/** In slices of 100 histories, so that it can go on where it was stopped. */
function innocents() {
  const done = remembered('innocents');
  for (let slice = 0; slice < 10; slice++) {
    if (done.some((one) => one.slice === slice)) continue;
    const env = { ...process.env, FENCEPOST_SOAK: '4', FENCEPOST_FIRST_SEED: String(1 + slice * 100) };
    const args = ['run', '--project', 'unit', 'test/unit/checker/odd-innocents.test.ts'];
    const { status } = spawnSync('node_modules/.bin/vitest', args, { stdio: 'inherit', env });
    const one = { slice, histories: 100, clean: status === 0 };
    remember('innocents', one);
    done.push(one);
    console.log(
      `  histories ${slice * 100 + 1} to ${slice * 100 + 100} of each  ${one.clean ? 'clean' : 'ACCUSED'}`,
    );
  }
  return done.filter(({ clean }) => !clean).length;
}

async function innocentsLive() {
  const { INNOCENTS } = await import('../dist/scenarios/innocents/registry.js');
  const done = remembered('innocents-live');
  for (const { id, module, scenario = 'innocents/eight-seconds' } of INNOCENTS)
    for (const seed of [1, 2, 3]) {
      if (done.some((one) => one.id === id && one.seed === seed)) continue;
      const store = `dist/scenarios/innocents/${module}.js`;
      const out = join(FOLDER, 'innocents');
      const flags = ['--store', store, '--seed', String(seed), '--out', out];
      const args = [MAIN, 'run', `scenarios/${scenario}.yaml`, ...flags, '--reporter', 'json', '--quiet'];
      const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 });
      const results = status === 64 ? undefined : JSON.parse(stdout);
      const broken = results?.guarantees.filter(({ verdict }) => verdict === 'broken') ?? [];
      const one = {
        id,
        seed,
        verdict: results?.verdict ?? 'refused',
        broken: broken.map(({ guarantee }) => guarantee),
        reason: results?.reasons[0]?.message,
      };
      remember('innocents-live', one);
      done.push(one);
      console.log(`  ${id}  seed ${seed}  ${one.verdict}  ${one.broken.join(' ')}${one.reason ?? ''}`);
    }
  // Eight seconds may be too short for all evidence; what must not be is an accusation, or an error of the test itself.
  const bad = done.filter(({ verdict }) => verdict !== 'valid' && verdict !== 'inconclusive');
  console.log(`  ${done.length - bad.length} of ${done.length} not accused`);
  return bad.length;
}

function crashPoints() {
  const done = remembered('crash-points');
  for (const seed of [1, 2, 3]) {
    if (done.some((one) => one.seed === seed)) continue;
    const args = [
      'crash-points',
      '--seed',
      String(seed),
      '--json',
      '--max',
      '300s',
      '--out',
      join(FOLDER, 'runs'),
    ];
    const { stdout } = spawnSync(process.execPath, [MAIN, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const { verdict, killMatrix } = JSON.parse(stdout);
    const of = (name) => killMatrix.filter((cell) => cell.verdict === name).length;
    const one = {
      seed,
      verdict,
      cells: killMatrix.length,
      held: of('held'),
      broken: of('broken'),
      missed: of('not hit'),
    };
    remember('crash-points', one);
    done.push(one);
    console.log(
      `  seed ${seed}  ${verdict}  ${one.held} of ${one.cells} held, ${one.broken} broken, ${one.missed} not hit`,
    );
  }
  return done.filter((one) => one.verdict !== 'valid').length;
}

function differential() {
  // 16.5 times RUNS of test/unit/checker/differential.test.ts; each round has a seed of its own.
  const aRound = 102_300;
  const rounds = Math.ceil(1_000_000 / aRound);
  const done = remembered('differential');
  while (done.length < rounds) {
    const args = ['run', '--project', 'unit', 'test/unit/checker/differential.test.ts'];
    const { status, stdout } = spawnSync('node_modules/.bin/vitest', args, {
      encoding: 'utf8',
      env: { ...process.env, FENCEPOST_SEED: String(done.length + 1) },
      maxBuffer: 1 << 28,
    });
    const one = { round: done.length + 1, histories: aRound, agreed: status === 0 };
    if (!one.agreed) console.log(stdout);
    remember('differential', one);
    done.push(one);
    const sum = done.length * aRound;
    console.log(
      `  round ${one.round} of ${rounds}  ${one.agreed ? 'agreed' : 'DISAGREED'}  ${sum} histories so far`,
    );
  }
  const bad = done.filter((one) => !one.agreed).length;
  console.log(`  ${done.length * aRound} histories, ${bad} rounds with a disagreement`);
  return bad;
}

function remembered(study) {
  const file = join(FOLDER, `${study}.ndjson`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function remember(study, one) {
  appendFileSync(join(FOLDER, `${study}.ndjson`), `${JSON.stringify(one)}\n`);
}
