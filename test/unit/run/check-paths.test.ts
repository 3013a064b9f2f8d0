/** What `fencepost check` is given: every odd path is refused in words, before anything of it is read to its end. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SupervisorRecord } from '../../../harness/history/record.ts';
import { HistoryWriter } from '../../../harness/history/writer.ts';
import { checkPaths } from '../../../harness/run/check-paths.ts';
import { UsageError } from '../../../harness/scenario/usage-error.ts';
import { folder, header, records, write, written } from '../history/files.ts';

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

function refusal(...paths: readonly string[]): UsageError {
  try {
    checkPaths(paths);
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('Expected a refusal.');
}

function pipe(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}

function unreadable(path: string): string {
  write(path, 'x');
  chmodSync(path, 0);
  return path;
}

const odd: readonly [string, (at: string) => string, RegExp][] = [
  ['a device', () => '/dev/null', /it is a device/],
  ['a pipe, without waiting for its writer', (at) => pipe(join(at, 'pipe')), /it is a pipe/],
  ['a path that does not exist', (at) => join(at, 'nowhere'), /nothing there/],
  ['a path below a file', (at) => join(write(join(at, 'a'), 'x'), 'b'), /cannot be read \(ENOTDIR\)/],
  ['an empty path', () => '', /nothing there/],
  [
    'a link to itself',
    (at) => {
      symlinkSync(join(at, 'loop'), join(at, 'loop'));
      return join(at, 'loop');
    },
    /cannot be read \(ELOOP\)/,
  ],
  ['a name that is too long', (at) => join(at, 'x'.repeat(300)), /cannot be read \(ENAMETOOLONG\)/],
  ['an empty file', (at) => write(join(at, 'a.ndjson'), ''), /it is empty/],
  ['a binary file', (at) => write(join(at, 'a'), Buffer.from([0xff, 0, 0x0a, 1])), /no JSON object/],
  [
    'results',
    (at) => write(join(at, 'results.json'), JSON.stringify({ verdict: 'valid' })),
    /no header record/,
  ],
  [
    'results over many lines',
    (at) => write(join(at, 'results.json'), JSON.stringify({ verdict: 'valid' }, null, 2)),
    /no JSON object/,
  ],
  [
    'one huge line',
    (at) => write(join(at, 'a.ndjson'), Buffer.alloc(3 << 20, 'x')),
    /first line is longer than 1048576 bytes/,
  ],
  ['a folder without histories', (at) => at, /no `.ndjson` file/],
  [
    'a folder with a pipe among its histories',
    (at) => {
      written(at);
      pipe(join(at, 'w2-2.ndjson'));
      return at;
    },
    /w2-2\.ndjson`, and it is a pipe/,
  ],
  [
    'a folder with a folder among its histories',
    (at) => {
      mkdirSync(join(at, 'w2-2.ndjson'));
      return at;
    },
    /it is a folder/,
  ],
  [
    'a folder of files that are no histories',
    (at) => {
      write(join(at, 'log.ndjson'), '{"level":"info"}\n');
      return at;
    },
    /log\.ndjson`, and its first line is no header record/,
  ],
];

describe('odd paths', () => {
  it.each(odd)('%s', (_what, make, why) => {
    const error = refusal(make(folder()));
    expect(error.code).toBe('RUN_DIRECTORY');
    expect(error.message).toMatch(why);
    expect(error.hint).toMatch(/reports\/latest/);
  });

  it.skipIf(process.getuid?.() === 0)('a file without the right to read it', () => {
    expect(refusal(unreadable(join(folder(), 'a.ndjson'))).message).toMatch(/cannot be read \(EACCES\)/);
  });
});

describe('what is judged together', () => {
  it('reads a file once that is named twice, and the supervisor first', () => {
    const at = folder();
    const client = written(at);
    using log = HistoryWriter.create(at, 'supervisor', run('test'));
    expect(checkPaths([client, log.file, client, at]).files).toEqual([log.file, client]);
  });

  it('finds the supervisor under any name', () => {
    const at = folder();
    written(at);
    using log = HistoryWriter.create(at, 'zz', run('test'));
    expect(checkPaths([at])).toMatchObject({
      files: [log.file, join(at, 'w1-1.ndjson')],
      run: { run: 'test' },
    });
  });

  it('refuses files of two runs', () => {
    const [a, b] = [folder(), folder()];
    written(a);
    written(b, 'w2-2', records, { ...header(2, 'w2'), run: 'other' });
    expect(refusal(a, b).message).toMatch(/the run `test` and `.*w2-2\.ndjson` of the run `other`/);
  });

  it('refuses two supervisor files', () => {
    const at = folder();
    using one = HistoryWriter.create(at, 'supervisor', run('test'));
    using two = HistoryWriter.create(at, 'supervisor', run('test'));
    expect(refusal(one.file, two.file).message).toMatch(/two supervisor files/);
  });

  it('takes a damaged file beside sound ones: the reader reports it', () => {
    const at = folder();
    written(at);
    writeFileSync(join(at, 'w2-2.ndjson'), '');
    expect(checkPaths([at]).files).toHaveLength(2);
  });
});
