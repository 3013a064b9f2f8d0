/** docs/obligations.md names every part with its default minimum. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { OBLIGATIONS } from '../../../harness/obligation/registry.ts';

it('documents every obligation with its default minimum', () => {
  const rows = readFileSync(new URL('../../../docs/obligations.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| O'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  for (const { id, min } of OBLIGATIONS) {
    if (id === 'O10.forceRelease') continue; // no part of the built-in workload
    const row =
      id.startsWith('O10.') && !/complete|heartbeat/.test(id)
        ? rows.find((cells) => cells[1]?.startsWith('O10.enqueue') && cells[1].includes(id.slice(3)))
        : rows.find((cells) => cells[1] === id);
    expect([id, row?.[3]]).toEqual([id, String(min)]);
  }
});
