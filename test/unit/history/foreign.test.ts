/** Histories of other tools: every field that holds something else than it must is told with its line, and nothing is guessed. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { historyFiles, loadHistory } from '../../../harness/history/directory-reader.ts';
import type { SupervisorRecord } from '../../../harness/history/record.ts';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { folder, header, read, records, write, written } from './files.ts';

const foreign = (...all: readonly unknown[]): string =>
  all.map((record) => `${JSON.stringify(record)}\n`).join('');
const told = (...all: readonly unknown[]) =>
  read(foreign(...all)).history.problems.map(({ kind, line, message }) => `${kind} ${line} ${message}`);

const claim = { type: 'invoke', t: 10, lane: 0, call: 0, op: 'claim', key: 'a', leaseMs: 50 };
const lease = { key: 'a', generation: 1, leaseMs: 50 };
const ok = { type: 'ok', t: 20, lane: 0, call: 0, accepted: true, leases: [lease] };

describe('wrong fields', () => {
  const wrong: readonly [string, readonly unknown[], string][] = [
    ['t', [{ ...claim, t: '10' }], 'Expected `t` to be whole nanoseconds, up to 2^53, got "10"'],
    ['t', [{ ...claim, t: 1.5 }], 'Expected `t` to be whole nanoseconds, up to 2^53, got 1.5'],
    ['lane', [{ ...claim, lane: -1 }], 'Expected `lane` to be a whole number from 0 to 2097151, got -1'],
    [
      'call',
      [{ ...claim, call: null }],
      'Expected `call` to be a whole number from 0 to 4294967295, got null',
    ],
    ['key', [{ ...claim, key: 7 }], 'Expected `key` to be a text, got 7'],
    ['no key', [{ ...claim, key: undefined }], 'Expected `key` to be a text, got nothing'],
    [
      'leaseMs',
      [{ ...claim, leaseMs: '50' }],
      'Expected `leaseMs` to be a number of milliseconds from 0, got "50"',
    ],
    [
      'reacquire',
      [{ ...claim, reacquire: 1 }],
      'Expected `reacquire` to be true or false, or left out, got 1',
    ],
    [
      'leases',
      [claim, { ...ok, leases: lease }],
      'Expected `leases` to be a list, or left out, got {"key":"a","generation":1,"leaseMs":50}',
    ],
    ['a lease', [claim, { ...ok, leases: ['a'] }], 'Expected `leases[0]` to be an object, got "a"'],
    [
      'a generation',
      [claim, { ...ok, leases: [{ ...lease, generation: 1.5 }] }],
      'Expected `leases[0].generation` to be a whole number or its decimal text, or left out, got 1.5',
    ],
    [
      'a lease without its key',
      [claim, { ...ok, leases: [lease, { leaseMs: 5 }] }],
      'Expected `leases[1].key` to be a text, got nothing',
    ],
    [
      'an error',
      [claim, { type: 'info', t: 20, lane: 0, call: 0, error: 'time-out' }],
      'Expected `error` to be an object, got "time-out"',
    ],
    [
      'the code of an error',
      [claim, { type: 'info', t: 20, lane: 0, call: 0, error: { message: 'time-out' } }],
      'Expected `error.code` to be a text, got nothing',
    ],
    ['accepted', [claim, { ...ok, accepted: 'yes' }], 'Expected `accepted` to be true or false, got "yes"'],
    [
      'a write',
      [{ ...claim, op: 'commit', writes: [{ key: 'a', op: 'put' }] }],
      'Expected `writes[0].op` to be one of "append", "set", "delete", got "put"',
    ],
    [
      'records',
      [{ type: 'end', t: 9, records: '1' }],
      'Expected `records` to be a whole number from 0, got "1"',
    ],
    ['a second header', [header(2, 'w2')], 'Expected one header in a file, got a second one'],
  ];
  it.each(wrong)('%s', (_field, all, message) => {
    expect(told(header(), ...all)).toEqual([`broken ${all.length + 1} ${message}`]);
  });

  it('in the header', () => {
    expect(told({ ...header(), incarnation: 1.5 })).toEqual([
      'broken 1 Expected `incarnation` to be a whole number from 0 to 4294967295, got 1.5',
    ]);
    expect(told({ ...header(), role: 'boss' })).toEqual([
      'broken 1 Expected `role` to be one of "worker", "scanner", got "boss"',
    ]);
  });

  it('fields that nobody knows are passed over', () => {
    expect(told(header(), { ...claim, shard: 3 }, { ...ok, leases: [{ ...lease, shard: 3 }] })).toEqual([]);
  });
});

describe('the clock of a lane', () => {
  const sent = (t: number, call: number, lane = 0) => ({ ...claim, t, lane, call });
  const answered = (t: number, call: number, lane = 0) => ({ ...ok, t, lane, call });

  it('may stand still', () => {
    expect(told(header(), sent(10, 0), answered(10, 0), sent(10, 1), answered(10, 1))).toEqual([]);
  });

  it('may differ from that of another lane', () => {
    expect(told(header(), sent(10, 0), answered(20, 0), sent(5, 0, 1), answered(6, 0, 1))).toEqual([]);
  });

  it('never runs backwards from an answer to the next call', () => {
    expect(told(header(), sent(10, 0), answered(20, 0), sent(19, 1))).toEqual([
      'broken 4 Time runs backwards in lane 0: call 1 was sent at 19, and the record before it is of 20',
    ]);
  });

  it('never runs backwards from a call to its answer', () => {
    expect(told(header(), sent(10, 0), answered(9, 0))).toEqual([
      'broken 3 Call 0.0 ended before it began: sent at 10, answered at 9',
    ]);
  });

  it('shows no answer after the next call of the lane', () => {
    expect(told(header(), sent(10, 0), sent(15, 1), answered(16, 0))).toEqual([
      'broken 4 Call 0.0 was answered at 16, after its lane had sent call 1 at 15: a lane sends one call at a time',
    ]);
  });

  it('lets an answer be written late, with the time at which it came', () => {
    const { history } = read(foreign(header(), sent(10, 0), sent(15, 1), answered(15, 0), answered(18, 1)));
    expect(history.problems).toEqual([]);
    expect(Array.from(history.ops.ret)).toEqual([15, 18]);
  });
});

describe('declarations of a header', () => {
  it.each([
    [{ clockStepMs: '50' }, 'Expected `declares.clockStepMs` to be a number, got "50" (string).'],
    [
      { tokens: 'random' },
      "Expected `declares.tokens` to be one of 'ascending', 'opaque', 'none', got \"random\" (string).",
    ],
    ['all of it', 'Expected `declares` to be an object, got "all of it" (string).'],
  ])('%j is told with its line', (declares, message) => {
    expect(told({ ...header(), declares })).toEqual([`broken 1 ${message}`]);
  });

  it('an unknown one is told with the nearest known', () => {
    const [problem] = told({ ...header(), declares: { embeded: true } });
    expect(problem).toMatch(/^broken 1 Expected a known key, got `declares\.embeded`\..*`embedded`/);
  });
});

describe('two runs in one directory', () => {
  const run = (name: string): SupervisorRecord => ({
    type: 'run',
    format: 1,
    run: name,
    t: 1,
    wallMs: 1,
    seed: 1,
    scenario: {},
    declares: {},
    methods: [],
  });
  const broken = (directory: string) =>
    loadHistory(historyFiles(directory))
      .history.problems.filter(({ kind }) => kind === 'broken')
      .map(({ file, line, message }) => `${file}:${line} ${message}`);

  it('break the history: a file of another run', () => {
    const at = folder();
    written(at);
    written(at, 'w2-2', records, { ...header(2, 'w2'), run: 'other' });
    expect(broken(at)).toEqual([
      'w2-2.ndjson:1 Expected a file of the run "test", as the files before it, got one of "other"',
    ]);
  });

  it('break the history: a second supervisor', () => {
    const at = folder();
    HistoryWriter.create(at, 'supervisor', run('test'))[Symbol.dispose]();
    HistoryWriter.create(at, 'supervisor', run('test'))[Symbol.dispose]();
    expect(broken(at)).toEqual(['supervisor.1.ndjson:1 Expected one supervisor of a run, got a second one']);
  });

  it('a supervisor with a wrong field breaks it too', () => {
    const at = folder();
    write(
      join(at, 'supervisor.ndjson'),
      foreign(run('test'), { type: 'exit', t: 5, incarnation: 1, code: '0', signal: null }),
    );
    expect(broken(at)).toEqual(['supervisor.ndjson:2 Expected `code` to be a number, or null, got "0"']);
  });
});
