import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadScenario, parseScenario } from '../../../harness/scenario/load.ts';
import { parseSet } from '../../../harness/scenario/set.ts';
import { UsageError } from '../../../harness/scenario/usage-error.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-scenario-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The problems of a scenario text, each as `code place message hint`. */
function problemsOf(text: string, sets: readonly string[] = []) {
  return refusal(() => parseScenario(text, 'a.yaml', { overrides: sets.map(parseSet) })).problems;
}

function refusal(call: () => unknown): UsageError {
  try {
    call();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('expected a UsageError');
}

const DURATION = 'a duration with its unit, from `1ms` to `24h`, such as `150ms`, `12s`, `2m` or `1h`';

describe('a scenario file that is right', () => {
  it('has the same values as the defaults in scenarios/kill-mid-lease.yaml', () => {
    const written = loadScenario('scenarios/kill-mid-lease.yaml');
    const defaults = parseScenario('name: kill-mid-lease', 'scenarios/x.yaml');
    expect({ ...written, description: '' }).toEqual(defaults);
    expect(defaults).toMatchObject({
      store: 'sqlite',
      workers: 4,
      lanes: 2,
      leaseMs: 150,
      heartbeatMs: 50,
      workload: { module: undefined, task: { p50Ms: 20, p95Ms: 60 }, slotShare: 0.4, maxAttempts: 50 },
      phases: {
        main: { minMs: 12_000, maxMs: 40_000 },
        drainMaxMs: 45_000,
        healMaxMs: 15_000,
        scanMaxMs: 30_000,
      },
      faults: {
        everyMs: 100,
        untouched: 2,
        weights: { kill: 35, pause: 35, twin: 30 },
        pauseLeases: { min: 1.2, max: 2.5 },
      },
      minOpportunities: 0,
      check: { maxMs: 60_000, maxMemoryMib: 2048 },
    });
  });

  it('takes a third of the lease as the heartbeat', () => {
    expect(parseScenario('lease: 1s', 'a.yaml').heartbeatMs).toBe(333);
  });

  it('turns the faults off', () => {
    expect(parseScenario('faults: off', 'a.yaml').faults).toBeUndefined();
  });

  it('takes its name from the file, fit for a folder', () => {
    expect(parseScenario('workers: 3', '/tmp/My load test!.yml').name).toBe('My-load-test-');
  });

  it('reads paths relative to the file, and that of --store relative to the working directory', () => {
    const text = 'store: ./s.mjs\nworkload: { module: w.mjs }';
    expect(parseScenario(text, '/x/y/a.yaml')).toMatchObject({
      store: '/x/y/s.mjs',
      workload: { module: '/x/y/w.mjs' },
    });
    const override = { path: ['store'], value: './mine.mjs', flag: '--store ./mine.mjs' };
    expect(parseScenario(text, '/x/y/a.yaml', { overrides: [override], cwd: '/home' }).store).toBe(
      resolve('/home/mine.mjs'),
    );
  });
});

describe('a value that is wrong', () => {
  it.each([
    ['"30 sec."', '"30 sec." (string)'],
    ['abc', '"abc" (string)'],
    ['-5', '-5 (number)'],
    ['-5s', '"-5s" (string)'],
    ['12', '12 (number)'],
    ['null', 'null'],
    ['1e400', '1e400 (number)'],
    ['1e400ms', '"1e400ms" (string)'],
    ['0s', '"0s" (string)'],
    ['25h', '"25h" (string)'],
    ['[1s]', 'a list'],
    ['{ a: 1 }', 'a group of keys'],
  ])('phases.main.min: %s', (value, got) => {
    const [problem, ...more] = problemsOf(`name: x\nphases:\n  main:\n    min: ${value}\n`);
    expect(more).toEqual([]);
    const { hint: _, ...told } = problem!;
    expect(told).toEqual({
      code: 'SCENARIO_INVALID_VALUE',
      message: `Expected \`phases.main.min\` to be ${DURATION}, got ${got}.`,
      place: { file: 'a.yaml', line: 4, column: 10, path: 'phases.main.min' },
    });
  });

  it.each([
    ['workers: 1e400', '`workers` to be a whole number from 1 to 256, got 1e400 (number).'],
    ['workers: 2.5', '`workers` to be a whole number from 1 to 256, got 2.5 (number).'],
    ['workers: -1', '`workers` to be a whole number from 1 to 256, got -1 (number).'],
    ['workers: "4"', '`workers` to be a whole number from 1 to 256, got "4" (string).'],
    [
      'workload: { slots: 0.4 }',
      '`workload.slots` to be a share from `0%` to `100%`, such as `40%`, got 0.4 (number).',
    ],
    [
      'workload: { slots: 140% }',
      '`workload.slots` to be a share from `0%` to `100%`, such as `40%`, got "140%" (string).',
    ],
    ['workload: 5', '`workload` to be a group of keys, got 5 (number).'],
    ['faults: on', '`faults` to be `off`, or a group of keys, got "on" (string).'],
    ['faults: { kill: -1 }', '`faults.kill` to be a number from 0 to 1000000, got -1 (number).'],
    ['faults: { every: 100 }', `\`faults.every\` to be ${DURATION}, got 100 (number).`],
    [
      'check: { memory: 2GB }',
      '`check.memory` to be an amount of memory with its unit, from `64MiB` to `64GiB`, such as',
    ],
    ['name: ../../etc', '`name` to be a name of letters, digits'],
    [
      'obligations: { O1: -3 }',
      '`obligations.O1` to be a whole number from 0 to 1000000000, got -3 (number).',
    ],
  ])('%s', (text, message) => {
    const [problem] = problemsOf(text);
    expect(problem?.code).toBe('SCENARIO_INVALID_VALUE');
    expect(problem?.message).toContain(`Expected ${message}`);
  });

  it('names everything that is wrong at once', () => {
    expect(problemsOf('lease: 5\nworkers: 0\nfoo: 1').map((one) => one.place?.line)).toEqual([1, 2, 3]);
  });

  it('shows no more than the start of a long value', () => {
    expect(problemsOf(`lease: ${'x'.repeat(500)}`)[0]?.message.length).toBeLessThan(250);
  });
});

describe('a value that was nearly right', () => {
  it.each([
    ['lease', '150', 'Did you mean `150ms` or `150s`?'],
    ['lease', '"30 sec."', 'Did you mean `30s`?'],
    ['lease', '2min', 'Did you mean `2m`?'],
    ['lease', '1.5H', 'Did you mean `1.5h`?'],
    ['workload.slots', '0.4', 'Did you mean `40%`?'],
    ['workload.slots', '40', 'Did you mean `40%`?'],
    ['check.memory', '2GB', 'Did you mean `2GiB`?'],
    ['check.memory', '512', 'Did you mean `512MiB`?'],
    ['workload.kind', 'regster', 'Did you mean `register`?'],
  ])('%s: %s', (path, value, hint) => {
    expect(problemsOf('name: x', [`${path}=${value}`])[0]?.hint).toBe(hint);
    // What is proposed is accepted as it stands.
    for (const [, proposed] of hint.matchAll(/`([^`]+)`/g)) {
      expect(() =>
        parseScenario('name: x', 'a.yaml', { overrides: [parseSet(`${path}=${proposed}`)] }),
      ).not.toThrow();
    }
  });

  it.each([
    ['lease', '-5s'],
    ['lease', 'soon'],
    ['lease', '[1]'],
    ['workload.kind', 'xyzzy-quux'],
  ])('nothing is guessed for %s: %s', (path, value) => {
    expect(problemsOf('name: x', [`${path}=${value}`])[0]?.hint).toBeUndefined();
  });
});

describe('a key that is not known', () => {
  it.each([
    ['leaseMS: 5', 'leaseMS', 'lease', 1, 1],
    ['name: x\nworklod: {}', 'worklod', 'workload', 2, 1],
    ['faults:\n  evry: 5s', 'faults.evry', 'every', 2, 3],
    ['workload: { zombies: { lat: 5 } }', 'workload.zombies.lat', 'late', 1, 24],
  ])('%s', (text, name, near, line, column) => {
    const [problem] = problemsOf(text);
    expect(problem).toMatchObject({
      code: 'SCENARIO_UNKNOWN_KEY',
      place: { file: 'a.yaml', line, column, path: name },
    });
    expect(problem?.message).toBe(`Expected a known key, got \`${name}\`.`);
    expect(problem?.hint).toContain(`Did you mean \`${near}\`? Known: `);
  });

  it.each([
    ['main.min=3s', 'main', 'Did you mean `phases.main`?'],
    ['kill=5', 'kill', 'Did you mean `faults.kill`'],
    ['__proto__.x=1', '__proto__', 'Known: `name`, '],
    ['__proto__=1', '__proto__', 'Known: `name`, '],
    ['faults.__proto__=3', 'faults.__proto__', 'Known: `every`, '],
    ['workload.finals.__proto__.x=1', 'workload.finals.__proto__', 'Known: `complete`, '],
    ['obligations.__proto__=1', 'obligations.__proto__', 'Known: '],
    ['constructor.prototype.x=1', 'constructor', 'Known: `name`, '],
    ['toString=1', 'toString', 'Known: `name`, '],
  ])('--set %s', (set, name, hint) => {
    const [problem, ...more] = problemsOf('name: x', [set]);
    expect(more).toEqual([]);
    expect(problem).toMatchObject({
      code: 'SCENARIO_UNKNOWN_KEY',
      message: `Expected a known key, got \`${name}\`.`,
      place: { flag: `--set ${set}` },
    });
    expect(problem?.hint).toContain(hint);
  });

  it('is refused in obligations too', () => {
    const [problem] = problemsOf('obligations: { O4.complet: 2 }');
    expect(problem?.message).toBe('Expected the id of an obligation, got `O4.complet`.');
    expect(problem?.hint).toContain('Did you mean `O4.complete`? Known: `O1`, ');
  });
});

describe('a file that is no scenario', () => {
  it('a key twice', () => {
    expect(problemsOf('faults: off\nworkers: 3\nfaults: off')).toEqual([
      {
        code: 'SCENARIO_DUPLICATE_KEY',
        message:
          'The key `faults` stands twice in the same map. Expected each key once; take one of them out.',
        place: { file: 'a.yaml', line: 3, column: 1 },
      },
    ]);
  });

  it.each([[''], ['\n\n'], ['# only a comment\n'], ['null'], ['---\n']])('empty: %j', (text) => {
    expect(problemsOf(text)[0]).toMatchObject({ code: 'SCENARIO_EMPTY', place: { file: 'a.yaml' } });
  });

  it.each([
    ['just a sentence', 'got "just a sentence" (string)'],
    ['- a\n- b', 'got a list'],
    ['5', 'got 5 (number)'],
    ['name: [a', 'Expected YAML: '],
    ['name: a\n\tlanes: 2', 'Expected YAML: '],
    ['a: &x [*x]\n', ''],
    ['name: !exotic x', 'Expected YAML: '],
    ['name: a\n---\nname: b', 'Expected YAML: '],
    ['['.repeat(5_000), 'Expected YAML'],
  ])('not a map of keys: %j', (text, message) => {
    const [problem] = problemsOf(text);
    expect(problem?.code).toMatch(/^SCENARIO_/);
    expect(problem?.message).toContain(message);
  });

  it('bombs of aliases', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 12; i++)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(problemsOf(lines.join('\n'))[0]?.code).toBe('SCENARIO_SYNTAX');
  });

  const file = (name: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, name), content);
    return refusal(() => loadScenario(join(folder, name)));
  };

  it('missing, with the nearest file of the folder', () => {
    writeFileSync(join(folder, 'kill-mid-lease.yaml'), 'name: x');
    const error = refusal(() => loadScenario(join(folder, 'kil-mid-lease.yaml')));
    expect(error.code).toBe('SCENARIO_MISSING');
    expect(error.place).toEqual({ file: join(folder, 'kil-mid-lease.yaml') });
    expect(error.hint).toBe(`Did you mean ${join(folder, 'kill-mid-lease.yaml')}?`);
  });

  it('a folder', () => {
    mkdirSync(join(folder, 'sub'));
    expect(refusal(() => loadScenario(join(folder, 'sub')))).toMatchObject({ code: 'SCENARIO_NOT_A_FILE' });
  });

  it('a device, which would never end', () => {
    expect(refusal(() => loadScenario('/dev/zero')).code).toBe('SCENARIO_NOT_A_FILE');
  });

  it('too large', () => {
    expect(file('large.yaml', `description: ${'x'.repeat(1024 * 1024)}`).code).toBe('SCENARIO_TOO_LARGE');
  });

  it('binary, or text in another encoding', () => {
    expect(file('binary.yaml', Uint8Array.of(0x7f, 0x45, 0, 0)).code).toBe('SCENARIO_NOT_TEXT');
    expect(file('latin1.yaml', Uint8Array.of(0x6e, 0x3a, 0x20, 0xe4)).code).toBe('SCENARIO_NOT_TEXT');
  });
});

describe('--set', () => {
  it('puts a value over that of the file', () => {
    const overrides = ['phases.main.min=3s', 'faults.kill=0', 'obligations.O4.complete=1', 'workers=6'].map(
      parseSet,
    );
    const scenario = parseScenario('phases: { main: { min: 5s, max: 50s } }', 'a.yaml', { overrides });
    expect(scenario.phases.main).toEqual({ minMs: 3000, maxMs: 50_000 });
    expect(scenario.faults?.weights).toMatchObject({ kill: 0, pause: 35, twin: 30 });
    expect(scenario.obligations).toEqual({ 'O4.complete': 1 });
    expect(scenario.workers).toBe(6);
  });

  it('takes a group and an empty parent', () => {
    const overrides = [parseSet('workload.task={ p50: 5ms, p95: 9ms }')];
    expect(parseScenario('workload:\n', 'a.yaml', { overrides }).workload.task).toEqual({
      p50Ms: 5,
      p95Ms: 9,
    });
  });

  it('names the flag where its value is wrong', () => {
    expect(problemsOf('name: x', ['phases.main.min=3'])).toEqual([
      {
        code: 'SCENARIO_INVALID_VALUE',
        message: `Expected \`phases.main.min\` to be ${DURATION}, got 3 (number).`,
        hint: 'Did you mean `3ms` or `3s`?',
        place: { flag: '--set phases.main.min=3', path: 'phases.main.min' },
      },
    ]);
    const [unknown] = problemsOf('name: x', ['phases.main.mn=3s']);
    expect(unknown).toMatchObject({
      code: 'SCENARIO_UNKNOWN_KEY',
      place: { flag: '--set phases.main.mn=3s' },
    });
    expect(unknown?.hint).toContain('Did you mean `min`?');
  });

  it('does not reach below a value that is no group', () => {
    const [problem] = problemsOf('faults: off', ['faults.kill=3']);
    expect(problem?.message).toBe(
      'Expected `faults` to be a group of keys, and the scenario has "off" (string) there.',
    );
    const typed = /`--set '(.*?)'`/.exec(problem?.hint ?? '')?.[1] ?? '';
    expect(
      parseScenario('faults: off', 'a.yaml', { overrides: [parseSet(typed)] }).faults?.weights.kill,
    ).toBe(3);
  });

  it.each(['workers', '=5', 'a..b=1', '.=', 'a=[', ' =3'])(
    'is refused without path and value: %j',
    (text) => {
      const error = refusal(() => parseSet(text));
      expect(error.code).toBe('COMMAND_LINE');
      expect(error.place).toEqual({ flag: `--set ${text}` });
      expect(error.message).toContain('--set phases.main.min=3s');
    },
  );
});
