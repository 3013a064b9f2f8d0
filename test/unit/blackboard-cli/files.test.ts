/** Files that are no board: each has its exit code, and a message that says what was expected, what was found, what to do. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { EXIT } from '../../../src/cli/exit.ts';
import { createSqliteStore } from '../../../src/stores/sqlite/store.ts';
import { blackboard } from './command.ts';

const folder = mkdtempSync(join(tmpdir(), 'fencepost-blackboard-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = (name: string) => join(folder, name);

function database(name: string, sql: string): string {
  const db = new Database(path(name));
  db.exec(sql);
  db.close();
  return path(name);
}

function text(name: string, content: string): string {
  writeFileSync(path(name), content);
  return path(name);
}

async function board(name: string): Promise<string> {
  const store = await createSqliteStore({ file: path(name) });
  await store.close();
  return path(name);
}

describe('a file that is no board', () => {
  it.each<[string, number, RegExp, () => string | Promise<string>]>([
    ['is missing', EXIT.missing, /no such file/, () => path('none.db')],
    ['lies in a folder that is missing', EXIT.missing, /no such file/, () => path('none/none.db')],
    ['is empty', EXIT.foreign, /empty/, () => text('empty.db', '')],
    [
      'is a database of something else',
      EXIT.foreign,
      /not touched/,
      () => database('foreign.db', 'CREATE TABLE t (x)'),
    ],
    [
      'is a database without tables',
      EXIT.foreign,
      /not touched/,
      () => database('bare.db', 'PRAGMA user_version = 5; VACUUM'),
    ],
    ['is text', EXIT.corrupt, /not touched/, () => text('notes.txt', 'nothing of a database '.repeat(20))],
    ['is a few bytes', EXIT.corrupt, /not touched/, () => text('short.db', 'SQLite')],
    ['is a folder', EXIT.corrupt, /regular file/, () => folder],
    [
      'was written by a newer version',
      EXIT.newer,
      /version that wrote it|version of Fencepost that wrote it/,
      async () => {
        const file = await board('newer.db');
        database('newer.db', 'PRAGMA user_version = 99');
        return file;
      },
    ],
  ])('%s', async (_, exit, message, make) => {
    const file = await make();
    const before = exit === EXIT.missing || file === folder ? undefined : readFileSync(file);
    for (const command of [
      ['dump'],
      ['claims'],
      ['stats'],
      ['watch'],
      ['release', 'claims/a', '--force'],
      ['view', 'w', '-s', 'facts/*'],
    ]) {
      const [name = '', ...rest] = command;
      const ran = await blackboard([name, file, ...rest]);
      expect([ran.code, ran.stdout]).toEqual([exit, '']);
      expect(ran.stderr.replaceAll(/\s+/g, ' ')).toMatch(message);
    }
    if (before !== undefined) expect(readFileSync(file)).toEqual(before);
  });

  it('has an exit code of its own for every kind', () => {
    expect(new Set(Object.values(EXIT)).size).toBe(Object.values(EXIT).length);
  });
});

describe('help', () => {
  it.each(['dump', 'watch', 'claims', 'release', 'stats', 'view'])(
    '%s has an example, and fits 80 columns',
    async (name) => {
      const { code, stdout } = await blackboard([name, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`Examples?:\\n(.*\\n)*.*\\$ .*blackboard ${name} board\\.db`));
      expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    },
  );

  it('the whole command tells its exit codes', async () => {
    const { stdout } = await blackboard(['--help']);
    for (const code of [EXIT.missing, EXIT.corrupt, EXIT.foreign, EXIT.newer, EXIT.busy])
      expect(stdout).toContain(`${code}`);
  });

  it('a typing mistake is a usage error', async () => {
    expect(await blackboard(['stast', 'x'])).toMatchObject({
      code: 64,
      stderr: expect.stringContaining('stats'),
    });
    expect((await blackboard(['claims'])).code).toBe(64);
    expect((await blackboard(['watch', 'x', '--every', 'soon'])).code).toBe(64);
  });
});
