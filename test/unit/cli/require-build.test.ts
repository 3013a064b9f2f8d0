import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { buildProblem } from '../../support/require-build.ts';

const root = mkdtempSync(join(tmpdir(), 'fencepost-build-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function file(path: string, seconds: number): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), '');
  utimesSync(join(root, path), seconds, seconds);
}

describe('buildProblem', () => {
  it('wants a build that is newer than every source', () => {
    file('harness/a/b.ts', 100);
    expect(buildProblem(root)).toContain('it is not there. Run `npm run build`.');
    file('dist/harness/cli/main.js', 150);
    file('dist/.tsbuildinfo', 150);
    expect(buildProblem(root)).toBeUndefined();
    file('scenarios/mutants/m.ts', 200);
    expect(buildProblem(root)).toContain(join('scenarios', 'mutants', 'm.ts'));
    file('scenarios/notes.md', 300);
    file('dist/.tsbuildinfo', 250);
    expect(buildProblem(root)).toBeUndefined();
  });
});
