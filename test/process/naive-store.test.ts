/** The README's example of a store that looks right: violated, and the story says how. */
import { afterAll, expect, it } from 'vitest';
import { run, scratch } from '../support/cli.ts';

const out = scratch();
afterAll(() => out.remove());

it('the naive store of the README is violated, with a confirmed story', async () => {
  const { code, stderr } = await run([
    'run',
    'kill-mid-lease',
    '--store',
    'examples/naive-store.mjs',
    '--until-violation',
    '--seed',
    '4',
    '--out',
    out.path,
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/VIOLATED {3}\S/);
  expect(stderr).toMatch(/ACCEPTED/);
  expect(stderr).toMatch(/confirmed {2}no order of these operations keeps the rule/);
});
