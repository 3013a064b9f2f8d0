/** Runs every snippet of docs/plan.md, in its order, as one program. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import * as fencepost from '../../../src/index.ts';
import { blackboard } from '../blackboard-cli/command.ts';

const AsyncFunction = (async () => {}).constructor as new (
  ...source: string[]
) => (...given: unknown[]) => Promise<string>;

const page = readFileSync('docs/plan.md', 'utf8');
const of = (language: string) =>
  [...page.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , text = '']) => text);

/** What is drawn at random looks the same on the page. */
const anonymous = (text: string) => text.replaceAll(/blackboard-[0-9a-f]{8}/g, 'blackboard-########');

it('every snippet of the page runs, and what it shows is what is printed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fencepost-page-'));
  const real = (text: string) => text.replaceAll('plan.db', join(folder, 'plan.db'));
  try {
    const program = of('js')
      .join('\n')
      .replaceAll(/^import (\{.*\}) from 'fencepost';$/gm, 'const $1 = fencepost;');
    const rendered = await new AsyncFunction(
      'fencepost',
      'assert',
      'sleep',
      `${real(program)}\nawait store.close();\nreturn text;`,
    )(fencepost, assert, sleep);
    expect([`${rendered}\n`]).toEqual(of('text'));
    for (const text of of('console')) {
      const [, command = '', shown = ''] = /^\$ blackboard (.*)\n([\s\S]*)$/.exec(text) ?? [];
      const { code, stdout } = await blackboard(real(command).split(' '), { clock: systemClock });
      expect([code, anonymous(stdout)]).toEqual([0, shown]);
    }
    expect([of('js').length, of('console').length]).toEqual([7, 1]);
    for (const text of of('json')) expect(() => JSON.parse(text) as unknown).not.toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

it('the page names every refusal', () => {
  const source = readFileSync('src/plan/types.ts', 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '([a-z-]+)'/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(10);
  for (const code of codes) expect(page).toContain(`\`${code}\``);
});
