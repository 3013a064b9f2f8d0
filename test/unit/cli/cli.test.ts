import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { GUARANTEE_IDS } from '../../../harness/checker/guarantee.ts';
import type { CliContext } from '../../../harness/cli/context.ts';
import { lineDisplay } from '../../../harness/cli/live.ts';
import { runCli } from '../../../harness/cli/program.ts';
import type { Results } from '../../../harness/report/results.ts';
import { PLAIN, type Style } from '../../../harness/report/style.ts';
import type { CheckOptions, Progress, RunOptions } from '../../../harness/run/api.ts';
import { UsageError } from '../../../harness/scenario/usage-error.ts';
import { widthOf } from '../../../src/text/layout.ts';
import { guarantee, STALE_COMPLETE, TIMELINE, VALID } from '../report/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const VIOLATED: Results = {
  ...VALID,
  verdict: 'violated',
  guarantees: [guarantee('S4', 81, [STALE_COMPLETE])],
  timeline: TIMELINE,
  firstViolationMs: 1100,
};

interface World {
  readonly results?: Results | ((options: RunOptions) => Results);
  readonly interruptedBy?: 'SIGINT' | 'SIGHUP';
  readonly style?: Partial<Style>;
  readonly command?: string;
  readonly mutants?: CliContext['mutants'];
}

const MUTANTS: CliContext['mutants'] = [
  {
    id: 'M01',
    title: 'complete without any token check',
    breaks: ['S4c', 'S4'],
    needs: '',
    url: 'file:///m01.js',
  },
  {
    id: 'M07',
    title: 'the token is not bumped',
    breaks: ['S1'],
    needs: '',
    scenario: 'register',
    url: 'file:///m07.js',
  },
];
const NOT_SYNCED = {
  id: 'M25',
  title: 'not synced',
  breaks: ['S6'],
  needs: '',
  limit: 'Only a loss of power can show it.',
  url: 'file:///m25.js',
};
const WAITING = {
  id: 'M99',
  title: 'not to be shown yet',
  breaks: ['S99'],
  needs: '',
  waitsFor: 'the fault `earthquake`',
  url: 'file:///m99.js',
};

/** A message as one line, however it was broken. */
const unwrapped = (text: string): string => text.replace(/\s+/g, ' ');

/** Runs the command line in a world without processes. */
async function cli(args: readonly string[], world: World = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const runs: RunOptions[] = [];
  const checks: [string | readonly string[], CheckOptions | undefined][] = [];
  const resultsOf = (options: RunOptions): Results =>
    typeof world.results === 'function' ? world.results(options) : (world.results ?? VALID);
  const context: CliContext = {
    stdout: { write: (text) => out.push(text) },
    stderr: { write: (text) => err.push(text) },
    style: { ...PLAIN, ...world.style },
    cwd: folder,
    command: world.command ?? 'fencepost',
    scenarios: resolve('scenarios'),
    runScenario: async (options) => {
      runs.push(options);
      options.onWarning?.('Something will probably not work.');
      return { results: resultsOf(options), directory: join(folder, 'reports', 'run') };
    },
    checkDirectory: async (path, options) => {
      checks.push([path, options]);
      return world.results === undefined || typeof world.results === 'function' ? VALID : world.results;
    },
    mutants: world.mutants ?? MUTANTS,
    display: () => ({ moves: false, show: () => {}, clear: () => {} }),
    interruption: { signal: new AbortController().signal, by: () => world.interruptedBy },
    randomSeed: () => 4711,
  };
  const code = await runCli(args, context);
  return { code, out: out.join(''), err: err.join(''), runs, checks };
}

describe('the command line', () => {
  it('shows help with examples on stdout', async () => {
    for (const args of [
      ['--help'],
      ['run', '--help'],
      ['check', '--help'],
      ['mutants', '--help'],
      ['scenarios', '--help'],
    ]) {
      const { code, out, err } = await cli(args);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatch(/Examples?:\n {2}\$ fencepost /);
    }
  });

  it.each([40, 80, 120])('fits %d columns', async (width) => {
    for (const args of [
      ['--help'],
      ...['run', 'check', 'mutants', 'scenarios', 'faults', 'guarantees'].map((name) => [name, '--help']),
      ['scenarios'],
      ['faults'],
      ['guarantees'],
      ['mutants'],
      ['run', 'kill-mid-lease'],
      ['check', 'reports/latest'],
      ['run', 'kill-mid-lease', '--seed', 'abc'],
      ['run', 'kill-mid-lease', '--set', 'leese=5s'],
      ['run', 'nope'],
    ]) {
      const { out, err } = await cli(args, { style: { width }, results: VIOLATED });
      const tooWide = `${out}\n${err}`.split('\n').filter((line) => widthOf(line) > width);
      expect([args, tooWide]).toEqual([args, []]);
    }
  });

  it.each([
    [['rnu', 'x'], "error: unknown command 'rnu'\n(Did you mean run?)"],
    [['run'], "error: missing required argument 'scenario'"],
    [['run', 'a', 'b'], 'error: too many arguments'],
    [['run', 'a', '--sed', '5'], "error: unknown option '--sed'\n(Did you mean one of --seed, --set?)"],
    [
      ['run', 'a', '--seed', '1.5'],
      "option '--seed <number>' argument '1.5' is invalid. Expected a whole number",
    ],
    [['run', 'a', '--seed', '-1'], 'Expected a whole number from 0 to 4294967295'],
    [['run', 'a', '--reporter', 'xml'], 'Allowed choices are text, json'],
    [['check'], "error: missing required argument 'path'"],
    [[], 'Usage: fencepost'],
  ])('%j is refused', async (args, message) => {
    const { code, out, err } = await cli(args);
    expect(code).toBe(64);
    expect(out).toBe('');
    expect(unwrapped(err)).toContain(unwrapped(message));
  });
});

describe('fencepost run', () => {
  it('runs a scenario of the package by its name', async () => {
    const { code, out, err, runs } = await cli(['run', 'kill-mid-lease', '--seed', '81237']);
    expect(code).toBe(0);
    expect(out).toBe('');
    expect(runs).toHaveLength(1);
    expect(runs[0]).toMatchObject({
      seed: 81237,
      out: 'reports',
      untilViolation: false,
      keepStore: false,
      storeModule: { spec: 'sqlite' },
    });
    expect(err).toMatch(/^fencepost · kill-mid-lease · sqlite · 4 workers · seed 81237\n/);
    expect(err).toContain('  warning  Something will probably not work.');
    expect(err).toContain('VALID   no item completed twice');
    expect(err.trimEnd().split('\n').slice(-2)).toEqual([
      '  run        reports/run',
      '  next       fencepost check reports/run',
    ]);
  });

  it('takes the scenario of the package where a folder has its name', async () => {
    mkdirSync(join(folder, 'kill-mid-lease'));
    const shadowed = await cli(['run', 'kill-mid-lease']);
    expect([shadowed.code, shadowed.runs[0]?.scenario.name]).toEqual([0, 'kill-mid-lease']);
    rmSync(join(folder, 'kill-mid-lease'), { recursive: true });
  });

  it('names the nearest scenario of the package', async () => {
    for (const typed of ['kil-mid-lease', 'kill-mid-lease.yml', './regster']) {
      const { code, err } = await cli(['run', typed]);
      expect(code).toBe(64);
      expect(unwrapped(err)).toMatch(
        /Did you mean `(kill-mid-lease|register)`\? The package brings: .*`feed`,/,
      );
    }
  });

  it('shows commands as this person types them', async () => {
    const { err } = await cli(['run', 'kill-mid-lease'], { results: VIOLATED, command: 'npx fencepost' });
    expect(err.trimEnd().split('\n').at(-1)).toBe(
      '  next       npx fencepost check reports/run --item claims/item-17',
    );
  });

  it('turns flags into values of the scenario', async () => {
    const { runs } = await cli([
      'run',
      'kill-mid-lease',
      '--workers',
      '6',
      '--duration',
      '20s',
      '--set',
      'lease=1s',
      '--set',
      'faults.kill=5',
      '--out',
      'elsewhere',
      '--until-violation',
      '--store',
      'mutant:m01',
    ]);
    const [{ scenario, storeModule, seed, out, untilViolation } = {} as RunOptions] = runs;
    expect(scenario).toMatchObject({
      workers: 6,
      leaseMs: 1000,
      heartbeatMs: 50,
      faults: { weights: { kill: 5 } },
    });
    expect(scenario?.phases.main).toEqual({ minMs: 20_000, maxMs: 20_000 });
    expect([storeModule.url, seed, out, untilViolation]).toEqual(['file:///m01.js', 4711, 'elsewhere', true]);
  });

  it('runs until the evidence is there: for ten minutes, or as long as it is told', async () => {
    const mains = async (...more: string[]) => {
      const { runs } = await cli(['run', 'kill-mid-lease', '--until-evidence', '300', ...more]);
      expect(runs[0]?.scenario.minOpportunities).toBe(300);
      return runs[0]?.scenario.phases.main;
    };
    expect(await mains()).toEqual({ minMs: 12_000, maxMs: 600_000 });
    expect(await mains('--duration', '90s')).toEqual({ minMs: 12_000, maxMs: 90_000 });
    expect(await mains('--set', 'phases.main.max=60s')).toEqual({ minMs: 12_000, maxMs: 60_000 });
  });

  it('finds a store module from the working directory, and shows it as it was typed', async () => {
    writeFileSync(join(folder, 'mine.mjs'), '');
    const { runs } = await cli(['run', 'kill-mid-lease', '--store', './mine.mjs']);
    expect(runs[0]?.storeModule.spec).toBe('./mine.mjs');
    expect(runs[0]?.storeModule.url).toMatch(/^file:.*\/mine\.mjs$/);
  });

  it('writes JSON alone to stdout', async () => {
    const { out, err } = await cli(['run', 'kill-mid-lease', '--reporter', 'json', '--quiet']);
    expect(JSON.parse(out)).toMatchObject({ schemaVersion: 1, verdict: 'valid', seed: 81237 });
    expect(err).toBe('');
  });

  it('says nothing when it is told so', async () => {
    const { code, out, err } = await cli(['run', 'kill-mid-lease', '-q'], { results: VIOLATED });
    expect([code, out, err]).toEqual([1, '', '']);
  });

  it.each([
    ['violated', 1],
    ['inconclusive', 2],
    ['harness-error', 3],
  ] as const)('%s exits %d', async (verdict, code) => {
    expect((await cli(['run', 'kill-mid-lease'], { results: { ...VALID, verdict } })).code).toBe(code);
  });

  it('accepts too little evidence when told so, and an interrupted run never', async () => {
    const results = { ...VALID, verdict: 'inconclusive' } as const;
    expect((await cli(['run', 'kill-mid-lease', '--allow-inconclusive'], { results })).code).toBe(0);
    const ended = await cli(['run', 'kill-mid-lease', '--allow-inconclusive'], {
      results,
      interruptedBy: 'SIGINT',
    });
    expect(ended.code).toBe(130);
    expect((await cli(['run', 'kill-mid-lease'], { interruptedBy: 'SIGHUP' })).code).toBe(129);
  });

  it.each([
    [['run', 'kil-mid-lease.yaml'], /kil-mid-lease\.yaml {2}There is no such scenario file/],
    [
      ['run', 'kill-mid-lease', '--workers', 'many'],
      /--workers many {2}Expected `workers` to be a whole number from 1 to 256/,
    ],
    [
      ['run', 'kill-mid-lease', '--duration', '12'],
      /--duration 12 {2}Expected `phases\.main\.min` to be a duration/,
    ],
    [
      ['run', 'kill-mid-lease', '--set', 'leese=5s'],
      /--set leese=5s {2}Expected a known key[\s\S]*Did you mean `lease`/,
    ],
    [
      ['run', 'kill-mid-lease', '--until-evidence', 'all'],
      /--until-evidence all {2}Expected `opportunities` to be a whole number/,
    ],
    [['run', 'kill-mid-lease', '--set', 'lease'], /Expected `--set path=value`/],
    [
      ['run', 'kill-mid-lease', '--store', 'sqllite'],
      /Expected a store, got `sqllite`[\s\S]*Did you mean `sqlite`/,
    ],
    [['run', 'kill-mid-lease', '--store', './none.mjs'], /There is no store module at/],
    [
      ['run', 'kill-mid-lease', '--store', 'mutant:M99'],
      /Expected the id of a mutant, got `M99`[\s\S]*Known: `M01`, `M07`/,
    ],
  ])('%j is refused before anything starts', async (args, message) => {
    const { code, err, runs } = await cli(args);
    expect(code).toBe(64);
    expect(err).toMatch(/^fencepost: refused/);
    expect(err.replace(/\n +/g, '  ')).toMatch(message);
    expect(runs).toEqual([]);
  });

  it('shows every reason of a refusal', async () => {
    const results = () => {
      const problem = (message: string) =>
        ({ code: 'SCENARIO_NOT_FEASIBLE', message, hint: 'Do something.' }) as const;
      throw new UsageError([problem('One.'), problem('Two.')]);
    };
    const { code, err } = await cli(['run', 'kill-mid-lease'], { results });
    expect(code).toBe(64);
    expect(err).toContain(
      'fencepost: refused, for 2 reasons\n\n  One.\n    Do something.\n\n  Two.\n    Do something.\n',
    );
  });

  it('lets go up what nobody foresaw', async () => {
    const results = () => {
      throw new TypeError('boom');
    };
    await expect(cli(['run', 'kill-mid-lease'], { results })).rejects.toThrow('boom');
  });
});

describe('fencepost check', () => {
  it('judges a directory, an item, or several files', async () => {
    const { code, err, checks } = await cli(['check', 'reports/latest', '--item', 'a b'], {
      results: VIOLATED,
    });
    expect(code).toBe(1);
    expect(checks[0]).toMatchObject(['reports/latest', { item: 'a b' }]);
    expect(err).toMatch(/^fencepost · kill-mid-lease/);
    expect(err).toContain('again      fencepost check reports/latest --item claims/item-17');
    const several = await cli(['check', 'a.ndjson', 'b.ndjson', '--reporter', 'json']);
    expect(several.checks[0]?.[0]).toEqual(['a.ndjson', 'b.ndjson']);
    expect(JSON.parse(several.out).verdict).toBe('valid');
    expect(several.err).toBe('');
  });
});

describe('fencepost mutants', () => {
  const caught: World = {
    results: (options) =>
      options.storeModule.spec === 'mutant:M01'
        ? VIOLATED
        : { ...VIOLATED, guarantees: [guarantee('S1', 5, [STALE_COMPLETE])] },
  };

  it('exits 0 when all are caught, and shows by what and when', async () => {
    const { code, out, err, runs } = await cli(['mutants', '--seed', '7'], caught);
    expect(code).toBe(0);
    expect(runs.map((run) => [run.storeModule.url, run.seed, run.untilViolation])).toEqual([
      ['file:///m01.js', 7, true],
      ['file:///m07.js', 8, true],
    ]);
    expect(runs[0]?.scenario.phases.main).toEqual({ minMs: 12_000, maxMs: 40_000 });
    expect(out.split('\n').slice(1, 5)).toEqual([
      '       S S',
      expect.stringMatching(/^ {7}1 4 {4}after {6}run$/),
      expect.stringMatching(/^ {2}M01 {2}\. x {4}1\.1 s {4}0\.\d s$/),
      expect.stringMatching(/^ {2}M07 {2}x \. {4}1\.1 s {4}0\.\d s$/),
    ]);
    expect(err).toContain('2 of 2 caught');
  });

  it('exits 1 with a survivor, also when it was caught by what it does not break', async () => {
    const { code, out, err } = await cli(['mutants', '--json'], { results: VIOLATED });
    expect(code).toBe(1);
    expect(
      JSON.parse(out).mutants.map((one: { id: string; caught: boolean }) => [one.id, one.caught]),
    ).toEqual([
      ['M01', true],
      ['M07', false],
    ]);
    expect(err).toContain('not caught: violated, but only S4');
    expect((await cli(['mutants'], { results: VALID })).code).toBe(1);
  });

  it('a documented limit that survives is no hole; accused, it is a false alarm', async () => {
    const mutants = [NOT_SYNCED];
    const survived = await cli(['mutants'], { mutants, results: VALID });
    expect(survived.code).toBe(0);
    expect(survived.out).toContain('M25 not synced. Documented limit: Only a loss of power can show it.');
    expect(survived.err).toContain('0 of 0 caught, 1 documented limit');
    const accused = await cli(['mutants'], { mutants, results: VIOLATED });
    expect(accused.code).toBe(1);
    expect(accused.out).toContain('false alarm');
  });

  it('does not run what waits for something, and says what for', async () => {
    const { code, out, runs } = await cli(['mutants'], { ...caught, mutants: [...MUTANTS, WAITING] });
    expect([code, runs.length]).toEqual([0, 2]);
    expect(out).toContain('M99 not to be shown yet: waits for the fault `earthquake`.');
    const json = await cli(['mutants', '--json'], { ...caught, mutants: [...MUTANTS, WAITING] });
    expect(JSON.parse(json.out)).toMatchObject({
      schemaVersion: 1,
      guarantees: ['S1', 'S4'],
      mutants: [
        { id: 'M01', fate: 'caught', broken: { S1: false, S4: true } },
        { id: 'M07', fate: 'caught', broken: { S1: true, S4: false } },
      ],
      notRun: [{ id: 'M99', waitsFor: 'the fault `earthquake`' }],
    });
  });

  it.each([40, 80, 120])('its matrix fits %d columns with every guarantee in it', async (width) => {
    const all = GUARANTEE_IDS.map((id) => guarantee(id, 5, [STALE_COMPLETE]));
    const { out } = await cli(['mutants'], {
      results: { ...VIOLATED, guarantees: all },
      mutants: [...MUTANTS, { ...NOT_SYNCED, title: 'a title that is as long as one may be: forty letters' }],
      style: { width },
    });
    expect(Math.max(...out.split('\n').map(widthOf))).toBeLessThanOrEqual(width);
  });

  it('runs some of them, for as long as it may', async () => {
    const { runs } = await cli(['mutants', '--only', 'm07', '--max', '5s'], caught);
    expect(runs.map((run) => run.storeModule.spec)).toEqual(['mutant:M07']);
    expect(runs[0]?.scenario.name).toBe('register');
    expect(runs[0]?.scenario.phases.main).toEqual({ minMs: 5000, maxMs: 5000 });
  });

  it('exits 3 when a run went wrong, 130 when it was interrupted, 64 when it was asked for nonsense', async () => {
    expect((await cli(['mutants'], { results: { ...VALID, verdict: 'harness-error' } })).code).toBe(3);
    expect((await cli(['mutants'], { ...caught, interruptedBy: 'SIGINT' })).code).toBe(130);
    expect((await cli(['mutants', '--only', 'M02'])).code).toBe(64);
    const nonsense = await cli(['mutants', '--max', '5']);
    // The refusal stands alone: nothing was begun.
    expect(nonsense.err).toMatch(
      /^fencepost: refused\n\n +--max 5\n +Expected `phases.main.m(in|ax)` to be a duration/,
    );
    expect([nonsense.code, nonsense.runs]).toEqual([64, []]);
  });
});

describe('the lists', () => {
  it('print to stdout', async () => {
    const scenarios = await cli(['scenarios']);
    expect(scenarios.out).toContain('kill-mid-lease   Four worker processes share one store.');
    const faults = await cli(['faults']);
    for (const name of ['kill', 'pause', 'twin']) expect(faults.out).toContain(`  ${name} `);
    const guarantees = await cli(['guarantees']);
    expect(guarantees.out).toMatch(/S4c +newest generation completes/);
    expect(guarantees.out).toMatch(/O1 +20 /);
    expect([scenarios.err, faults.err, guarantees.err]).toEqual(['', '', '']);
  });

  it('print the schema of scenario files', async () => {
    const schema = JSON.parse((await cli(['scenarios', '--schema'])).out);
    expect(schema).toMatchObject({ title: 'Fencepost scenario', additionalProperties: false });
    expect(schema.properties.phases.properties.main.properties.min).toMatchObject({
      type: 'string',
      default: '12s',
    });
    expect(schema.required).toBeUndefined();
  });
});

describe('lineDisplay', () => {
  it('writes a line for each phase, and one every three seconds', () => {
    let now = 0;
    const lines: string[] = [];
    const display = lineDisplay(
      (text) => lines.push(text),
      PLAIN,
      () => now,
    );
    const progress: Progress = {
      phase: 'lead-in',
      phaseMs: 0,
      limitMs: 1,
      ops: 0,
      claims: 0,
      completes: 0,
      reclaims: 0,
      commits: 0,
      faults: {},
      obligations: [],
      workers: [],
    };
    for (now = 0; now < 7000; now += 100) display.show(now < 500 ? progress : { ...progress, phase: 'main' });
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['lead-in', 'main', 'main', 'main']);
  });
});
