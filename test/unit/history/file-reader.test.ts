/** One history file: round trip, seals, tears and damage (R4, A26, A28). */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadHistory } from '../../../harness/history/directory-reader.ts';
import { OP, OUTCOME, requestOf } from '../../../harness/history/history.ts';
import type { ClientRecord } from '../../../harness/history/record.ts';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { folder, header, lines, read, records, write, written } from './files.ts';

const kinds = (loaded: ReturnType<typeof read>) =>
  loaded.history.problems.map(({ kind, line }) => [kind, line]);

describe('round trip', () => {
  it('reads back what was written', () => {
    const { history } = loadHistory([written(folder())]);
    const { ops, keys } = history;
    expect(history.problems).toEqual([]);
    expect(history.records).toBe(records.length + 2);
    const rows = Array.from({ length: ops.length }, (_, row) => ({
      op: ops.op[row],
      outcome: ops.outcome[row],
      key: keys[ops.item[row]!],
      request: requestOf(ops, row),
      inv: ops.inv[row],
      ret: ops.ret[row],
    }));
    const { accepted, refused, info } = OUTCOME;
    expect(rows).toEqual([
      { op: OP.enqueue, outcome: accepted, key: 'é/1', request: '1.0.0', inv: 10, ret: 20 },
      { op: OP.enqueue, outcome: accepted, key: 'b', request: '1.0.0', inv: 10, ret: 20 },
      { op: OP.claimNext, outcome: accepted, key: 'é/1', request: '1.0.1', inv: 30, ret: 40 },
      { op: OP.claimNext, outcome: accepted, key: 'b', request: '1.0.1', inv: 30, ret: 40 },
      { op: OP.heartbeat, outcome: refused, key: 'b', request: '1.1.0', inv: 50, ret: 60 },
      {
        op: OP.complete,
        outcome: info,
        key: 'é/1',
        request: '1.0.2',
        inv: 70,
        ret: Number.POSITIVE_INFINITY,
      },
    ]);
    expect(history.errors.get(5)).toEqual({ code: 'TIMEOUT', message: 'no answer' });
    expect(history.loop).toEqual([{ incarnation: 1, at: 90, p99Ms: 1, maxMs: 2 }]);
  });

  it('reads files of other tools, without numbers, check sums and order of keys', () => {
    const foreign = [header(), ...records].map((record) =>
      JSON.stringify(
        record,
        Object.keys(record)
          .reverse()
          .concat(
            'key',
            'value',
            'generation',
            'leaseMs',
            'code',
            'message',
            'owner',
            'attempt',
            'maxAttempts',
          ),
      ),
    );
    const { history } = read(`${foreign.join('\r\n')}\r\n\r\n`);
    expect(history.problems).toEqual([]);
    expect(history.ops.length).toBe(6);
  });

  it('takes the declarations of a file that came without a run from its header', () => {
    const declares = { embedded: true, lateCalls: 'allowed-if-not-superseded' };
    expect(read(lines([{ ...header(), declares }]).join('')).declares).toMatchObject(declares);
  });
});

describe('torn tails', () => {
  const whole = lines([header(), ...records]);

  it('drops a torn last record wherever it is cut, and says where (property over every byte)', () => {
    const before = Buffer.from(whole.slice(0, 7).join(''));
    const last = Buffer.from(whole[7]!);
    for (let cut = 1; cut < last.length - 1; cut++) {
      const loaded = read(Buffer.concat([before, last.subarray(0, cut)]));
      expect(kinds(loaded)).toEqual([['torn-tail', 8]]);
      expect(loaded.history.records).toBe(7);
    }
  });

  it('takes a last record that lacks only its line feed', () => {
    const loaded = read(whole.join('').slice(0, -1));
    expect(kinds(loaded)).toEqual([]);
    expect(loaded.history.records).toBe(whole.length);
  });

  it('leaves the call of a torn completion open', () => {
    const { history } = read(whole.slice(0, 4).join('') + whole[4]!.slice(0, 30));
    expect(Array.from(history.ops.outcome.slice(2))).toEqual([OUTCOME.info]);
  });

  it('reports half a line with the cut inside a character, and reads what stands before it (A26)', () => {
    const [first, second] = lines([header(), records[0]!]);
    const half = Buffer.from('{"op":"claim","w":"é');
    for (const cut of [half.length, half.length - 1]) {
      const loaded = read(Buffer.concat([Buffer.from(first! + second!), half.subarray(0, cut)]));
      expect(kinds(loaded)).toEqual([['torn-tail', 3]]);
      expect(loaded.history.records).toBe(2);
    }
  });

  it('opens a new file when the name is taken, so that nothing is glued to a torn tail (A26)', () => {
    const directory = folder();
    const torn = write(join(directory, 'w1-1.ndjson'), `${lines([header()])[0]!}{"op":"claim","w":`);
    using writer = HistoryWriter.create(directory, 'w1-1', header());
    writer.write(records[0]!);
    expect(writer.file).toBe(join(directory, 'w1-1.1.ndjson'));
    expect(readFileSync(torn, 'utf8').endsWith('"w":')).toBe(true);
    const { history } = loadHistory([torn, writer.file]);
    expect(history.problems.map(({ kind, file, line }) => [kind, file, line])).toEqual([
      ['torn-tail', 'w1-1.ndjson', 2],
    ]);
    expect(history.records).toBe(3);
    expect(history.ops.length).toBe(2);
  });

  it('calls it broken when somebody did append behind a torn tail', () => {
    const directory = folder();
    const file = write(join(directory, 'w1-1.ndjson'), `${lines([header()])[0]!}{"op":"claim","w":`);
    appendFileSync(file, lines([header(), records[0]!])[1]!);
    expect(kinds(loadHistory([file]))).toEqual([['broken', 2]]);
  });
});

describe('damage', () => {
  const whole = lines([header(), ...records]);
  const changed = (line: number, change: (text: string) => string) =>
    read(whole.map((text, i) => (i === line ? change(text) : text)).join(''));

  const damages: readonly [string, () => ReturnType<typeof read>, readonly [string, number]][] = [
    ['a byte changed in the middle', () => changed(3, (text) => text.replace('150', '151')), ['broken', 4]],
    [
      'a byte changed in the last record',
      () => changed(9, (text) => text.replace('"maxMs":2', '"maxMs":3')),
      ['broken', 10],
    ],
    ['a record missing', () => read(whole.toSpliced(4, 1).join('')), ['broken', 5]],
    ['a record twice', () => read(whole.toSpliced(4, 0, whole[4]!).join('')), ['broken', 6]],
    ['half a line in the middle', () => changed(3, (text) => `${text.slice(0, 40)}\n`), ['broken', 4]],
    ['an empty file', () => read(''), ['broken', 0]],
    ['no header', () => read(whole.slice(1).join('')), ['broken', 1]],
    ['a format of the future', () => read(lines([{ ...header(), format: 2 }]).join('')), ['broken', 1]],
    ['a line that is no object', () => read(`${JSON.stringify(header())}\n12\n`), ['broken', 2]],
    ['binary', () => read(Buffer.from([0xff, 0xfe, 0x00, 0x0a])), ['broken', 1]],
    [
      'fewer records than the end record says (A23)',
      () =>
        read(
          [header(), records[0], { type: 'end', t: 99, records: 5 }]
            .map((record) => `${JSON.stringify(record)}\n`)
            .join(''),
        ),
      ['broken', 3],
    ],
  ];
  it.each(damages)('%s', (_situation, load, problem) => {
    expect(kinds(load())).toEqual([problem]);
  });

  const one = (...all: readonly unknown[]) => read(lines([header(), ...(all as ClientRecord[])]).join(''));
  const invoke = { type: 'invoke', t: 10, lane: 0, call: 0, op: 'release', key: 'a', generation: 1 };
  const contradictions: readonly [string, readonly unknown[]][] = [
    [
      'a completion that was never invoked (A28)',
      [{ type: 'info', t: 20, lane: 0, call: 0, error: { code: 'TIMEOUT', message: '' } }],
    ],
    ['a call invoked twice', [invoke, invoke]],
    [
      'two completions',
      [
        invoke,
        { type: 'ok', t: 20, lane: 0, call: 0, accepted: true },
        { type: 'ok', t: 21, lane: 0, call: 0, accepted: true },
      ],
    ],
    [
      'an answer after "unknown"',
      [
        invoke,
        { type: 'info', t: 20, lane: 0, call: 0, error: { code: 'T', message: '' } },
        { type: 'ok', t: 21, lane: 0, call: 0, accepted: true },
      ],
    ],
    ['an answer before its invoke', [invoke, { type: 'ok', t: 9, lane: 0, call: 0, accepted: true }]],
    ['an operation of another contract', [{ ...invoke, op: 'steal' }]],
    ['an operation named like a property of every object', [{ ...invoke, op: 'constructor' }]],
    ['an unknown record type', [{ type: 'gossip', t: 1 }]],
    [
      'a refusal without a code of the contract',
      [invoke, { type: 'ok', t: 20, lane: 0, call: 0, accepted: false, code: 'no' }],
    ],
    ['a generation that is no whole number', [{ ...invoke, generation: 1.5 }]],
    ['a generation that is not decimal', [{ ...invoke, generation: '0x10' }]],
    ['a lane that is no whole number', [{ ...invoke, lane: -1 }]],
    ['a time that is no number', [{ ...invoke, t: 'now' }]],
    ['items that are no list', [{ ...invoke, op: 'enqueue', items: 5 }]],
    ['items that hold nothing', [{ ...invoke, op: 'enqueue', items: [null] }]],
  ];
  it.each(contradictions)('is broken by %s, also in the last line', (_situation, all) => {
    expect(kinds(one(...all))).toEqual([['broken', all.length + 1]]);
  });

  it('takes the item of a time-out from its invoke (A28)', () => {
    const { history } = one(invoke, {
      type: 'info',
      t: 20,
      lane: 0,
      call: 0,
      error: { code: 'TIMEOUT', message: '' },
    });
    expect([history.problems, history.keys[history.ops.item[0]!], history.ops.outcome[0]]).toEqual([
      [],
      'a',
      OUTCOME.info,
    ]);
  });

  it('reports crashes and wrong shapes with their place', () => {
    const loaded = one(
      { type: 'crash', t: 5, message: 'boom' },
      { type: 'shape', t: 6, lane: 0, call: 0, op: 'claim', message: 'lease.key: expected a text' },
    );
    expect(kinds(loaded)).toEqual([
      ['crash', 2],
      ['shape', 3],
    ]);
  });
});
