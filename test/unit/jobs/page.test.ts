/** Runs every snippet of docs/jobs.md, in its order, as one program. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import * as fencepost from '../../../src/index.ts';

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...given: unknown[]) => Promise<void>;

const page = readFileSync('docs/jobs.md', 'utf8');
const snippets = [...page.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text);

it('every snippet of the page runs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-page-'));
  const sum = join(folder, 'sum.mjs');
  writeFileSync(sum, 'export default (numbers) => numbers.reduce((all, one) => all + one, 0);');
  try {
    const program = snippets
      .join('\n')
      .replaceAll(/^import (\{.*\}) from 'fencepost';$/gm, 'const $1 = fencepost;')
      .replaceAll('jobs.db', join(folder, 'jobs.db'));
    const run = new AsyncFunction('fencepost', 'assert', 'sleep', 'sumModule', program);
    await run(fencepost, assert, sleep, pathToFileURL(sum));
    expect(snippets).toHaveLength(6);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the page names every error of background jobs', () => {
  const codes = Object.keys(fencepost.ERROR_CODES).filter((code) => code.startsWith('JOB'));
  expect(codes.length).toBeGreaterThan(8);
  for (const code of codes) expect(page).toContain(`\`${code}\``);
});
