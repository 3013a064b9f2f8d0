/** What a run does on disk beside its histories: the folder that it is given, its results, and scratch folders. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processFacts } from '../../../harness/process/proc.ts';
import type { Results } from '../../../harness/report/results.ts';
import { assertOutFolder } from '../../../harness/run/out-folder.ts';
import { makeScratch, sweepScratches } from '../../../harness/run/probe-scratch.ts';
import { writeResults } from '../../../harness/run/write-results.ts';
import { UsageError } from '../../../harness/scenario/usage-error.ts';
import { VALID } from '../report/sample.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fencepost-files-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('assertOutFolder', () => {
  it('leaves nothing behind', () => {
    assertOutFolder(join(folder, 'a/b'));
    assertOutFolder(folder);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['an empty text', () => '', /got an empty text/],
    ['a file', () => join(folder, 'file'), /EEXIST|ENOTDIR/],
    ['a path below a file', () => join(folder, 'file/x'), /ENOTDIR/],
    ['a place where nothing can be made', () => '/proc/fencepost', /ENOENT|EACCES/],
  ])('refuses %s', (_, out, message) => {
    writeFileSync(join(folder, 'file'), '');
    let error: unknown;
    try {
      assertOutFolder(out());
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({ code: 'RUN_DIRECTORY', message: expect.stringMatching(message) });
    expect((error as UsageError).hint).toContain('--out');
  });
});

describe('writeResults', () => {
  it('writes them whole', () => {
    expect(writeResults(folder, VALID, undefined)).toBe(VALID);
    expect(readdirSync(folder)).toEqual(['results.json']);
    expect(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8'))).toMatchObject({
      verdict: 'valid',
    });
  });

  it('says so when the disk is full, and then is at best inconclusive', () => {
    symlinkSync('/dev/full', join(folder, 'results.json.unfinished'));
    const told = writeResults(folder, VALID, undefined);
    expect(told.verdict).toBe('inconclusive');
    expect(told.reasons[0]).toMatchObject({
      code: 'FILES_NOT_WRITTEN',
      message: expect.stringContaining('ENOSPC'),
      fix: expect.stringContaining('--out'),
    });
    // A torn file would be taken for results.
    expect(readdirSync(folder)).toEqual([]);
  });

  it('keeps a violation, and tells of a history that broke off', () => {
    const violated: Results = {
      ...VALID,
      verdict: 'violated',
      reasons: [{ verdict: 'violated', code: 'GUARANTEE_BROKEN', message: '' }],
    };
    const told = writeResults(folder, violated, new Error('no space left'));
    expect([told.verdict, told.reasons.map((one) => one.code)]).toEqual([
      'violated',
      ['GUARANTEE_BROKEN', 'FILES_NOT_WRITTEN'],
    ]);
    expect(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).reasons).toHaveLength(2);
  });
});

describe('scratch folders of the probe', () => {
  const left = (name: string, coordinator: object, ...children: object[]): string => {
    const path = join(folder, `fencepost-probe-${name}`);
    mkdirSync(join(path, '.running'), { recursive: true });
    const lines = [coordinator, ...children].map((entry) => JSON.stringify(entry)).join('\n');
    writeFileSync(join(path, '.running/probe.ndjson'), `${lines}\n`);
    return path;
  };
  const GONE = { pid: process.pid, startTime: 'another life', what: 'coordinator' };

  it('are their own while they are used, and gone afterwards', () => {
    {
      using scratch = makeScratch(folder);
      expect(sweepScratches(folder)).toBe(0);
      expect(existsSync(scratch.path)).toBe(true);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it('of a coordinator that is gone are removed, and what runs in them is ended', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    const ended = once(child, 'exit');
    const { startTime } = processFacts(child.pid!)!;
    const path = left('dead', GONE, { pid: child.pid, startTime, what: 'probe' });
    expect(sweepScratches(folder)).toBe(1);
    expect(existsSync(path)).toBe(false);
    expect((await ended)[1]).toBe('SIGKILL');
  });

  it('without a ledger are removed once they are old', () => {
    const path = join(folder, 'fencepost-probe-bare');
    mkdirSync(path);
    mkdirSync(join(folder, 'somebody-else'));
    expect(sweepScratches(folder)).toBe(0);
    utimesSync(path, 1, 1);
    expect(sweepScratches(folder)).toBe(1);
    expect(readdirSync(folder)).toEqual(['somebody-else']);
  });
});
