/** A test of a command, with a folder of its own for what the command makes: such tests can run side by side. */
import { test } from 'vitest';
import { scratch } from './cli.ts';

export const it = test.extend<{ out: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which other fixtures are needed.
  out: async ({}, use) => {
    const folder = scratch();
    await use(folder.path);
    folder.remove();
  },
});
