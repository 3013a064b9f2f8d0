/** Every acceptance check of spec/board.md has a test whose title names it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const CHECKS = 60;
const FOLDERS = ['test/unit/board', 'test/unit/blackboard-cli', 'test/process'];

it(`all ${CHECKS} checks of the board are shown somewhere`, () => {
  const sources = FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.test.ts') && name !== 'numbers.test.ts')
      .map((name) => readFileSync(join(folder, name), 'utf8')),
  );
  // A title is a text that begins with the numbers, a colon behind them.
  const titles = sources.flatMap((source) => [...source.matchAll(/['"`]((?:board \d+(?:, )?)+):/g)]);
  const named = new Set(
    titles.flatMap(([, numbers = '']) => [...numbers.matchAll(/\d+/g)].map(([number]) => Number(number))),
  );
  const missing = Array.from({ length: CHECKS }, (_, i) => i + 1).filter((number) => !named.has(number));
  expect(missing).toEqual([]);
});
